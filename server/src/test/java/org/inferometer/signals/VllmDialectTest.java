package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.Shared;
import org.inferometer.model.Version;
import org.inferometer.promql.ParseException;
import org.junit.jupiter.api.Test;

/** What is told of vLLM's names holds together, and holds for vLLM under Ray by its rule. */
class VllmDialectTest {
  private static final Catalogue CATALOGUE = Catalogue.builtIn();

  /** The scraper's own series, and what every page may have. */
  private static final Set<String> SCRAPE =
      Set.of("scrape_duration_seconds", "scrape_samples_scraped", "up");

  @Test
  void everyNameInAQueryIsAFamilyOfItsDialect() throws ParseException {
    for (String id : List.of("vllm", "ray-vllm", "nim")) {
      Set<String> unknown = new TreeSet<>();
      for (String name : names(dialect(id))) {
        boolean known =
            CATALOGUE.families().find(name).stream().anyMatch(m -> m.family().dialect().equals(id));
        if (!known && !SCRAPE.contains(name)) {
          unknown.add(name);
        }
      }
      assertThat(unknown).as(id).isEmpty();
    }
  }

  private static List<String> names(Dialect dialect) throws ParseException {
    List<String> names = new ArrayList<>();
    for (Mapping mapping : dialect.mappings().values()) {
      mapping.alternatives().forEach(alternative -> names.addAll(alternative.needs()));
    }
    for (Trap trap : dialect.profile().traps()) {
      names.addAll(trap.query().metricNames());
    }
    for (Facet facet : dialect.profile().facets()) {
      names.addAll(facet.query().metricNames());
    }
    names.removeIf(String::isEmpty);
    return names;
  }

  @Test
  void aWayIsThereSinceAllItsFamiliesAre() {
    for (Mapping mapping : dialect("vllm").mappings().values()) {
      for (Alternative way : mapping.alternatives()) {
        String text = way.template().text();
        boolean byLabel = text.contains("$label_value") || text.contains("local_compute");
        if (way.since() != null && !byLabel) {
          List<Version> since = new ArrayList<>();
          way.needs().forEach(name -> since.addAll(since(name)));
          assertThat(since.stream().max(Version::compareTo)).as(text).contains(way.since());
        }
      }
    }
  }

  private static List<Version> since(String sample) {
    return CATALOGUE.families().find(sample).stream()
        .map(Families.Match::family)
        .filter(family -> family.dialect().equals("vllm") && family.since() != null)
        .map(family -> Version.parse(Objects.requireNonNull(family.since())))
        .toList();
  }

  @Test
  void whatCountsDifferentThingsSaysWhyThatIsSound() {
    for (String id : List.of("vllm", "ray-vllm", "nim")) {
      for (Mapping mapping : dialect(id).mappings().values()) {
        for (Alternative way : mapping.alternatives()) {
          Set<Population> counted = new HashSet<>();
          way.needs().forEach(name -> counted.addAll(counted(id, name)));
          if (counted.size() > 1) {
            assertThat(way.mixes()).as(way.template().text()).isNotNull();
          } else if (counted.size() == 1) {
            assertThat(counted).as(way.template().text()).containsExactly(way.counts());
          }
        }
      }
    }
  }

  private static List<Population> counted(String dialect, String sample) {
    return CATALOGUE.families().find(sample).stream()
        .map(Families.Match::family)
        .filter(family -> family.dialect().equals(dialect) && family.counts() != null)
        .map(Family::counts)
        .toList();
  }

  @Test
  void aListOfFamiliesOf0_26_isWhatIsSaidOfThatRelease() throws IOException {
    Version release = Version.parse("0.26");
    Map<String, String> listed = new TreeMap<>();
    for (String line :
        Files.readAllLines(
            Shared.path(
                "fixtures/metrics/vllm_v0.26.0-cpu_metric-family-list_inference-perf.txt"))) {
      String[] words = line.split(" ");
      if (!line.startsWith("#") && words.length == 2) {
        listed.put(words[0], words[1]);
      }
    }
    Map<String, String> said = new TreeMap<>();
    for (Family family : families("vllm")) {
      if (family.name().startsWith("vllm:") && family.enable() == null && has(family, release)) {
        FamilyType type = family.declared() == null ? family.type() : family.declared();
        said.put(family.name(), type.name().toLowerCase(java.util.Locale.ROOT));
      }
    }
    // Estimates are there without the flag, as zeros.
    listed.keySet().removeIf(name -> name.startsWith("vllm:estimated_"));
    assertThat(said).isEqualTo(listed);
  }

  private static boolean has(Family family, Version release) {
    return !Version.parse(Objects.requireNonNull(family.since())).isAfter(release)
        && (family.last() == null || !release.isAfter(Version.parse(family.last())));
  }

  @Test
  void theOldPageOfTheV0EngineIsKnown() {
    for (Dump.Sample sample : Dump.named("vllm_v0.9.x").samples()) {
      assertThat(CATALOGUE.families().find(sample.labels().metricName()))
          .as(sample.labels().toString())
          .isNotEmpty();
    }
  }

  @Test
  void successorsExist() {
    Set<String> names = new TreeSet<>();
    CATALOGUE.families().all().forEach(family -> names.add(family.name()));
    for (String id : List.of("vllm", "ray-vllm", "nim")) {
      for (Family family : families(id)) {
        if (family.now() != null) {
          assertThat(names).as(family.name()).contains(family.now());
          assertThat(family.last()).as(family.name()).isNotNull();
        }
      }
    }
  }

  @Test
  void mistakesAreNamesThatNothingExposes() {
    for (Families.Mistake mistake : CATALOGUE.families().mistakes()) {
      if (mistake.dialect().equals("vllm")) {
        assertThat(CATALOGUE.families().find(mistake.name())).as(mistake.name()).isEmpty();
        if (mistake.means() != null) {
          assertThat(CATALOGUE.families().find(mistake.means())).as(mistake.name()).isNotEmpty();
        }
      }
    }
  }

  @Test
  void underRayEveryQueryIsVllmsWithOtherNames() {
    Dialect vllm = dialect("vllm");
    Dialect ray = dialect("ray-vllm");
    Set<String> own =
        Set.of(
            "scrape_time",
            "http_5xx_share",
            "process_memory",
            "process_cpu",
            "process_open_fds",
            "process_memory_growth",
            "gc_rate");
    assertThat(ray.mappings().keySet()).isEqualTo(vllm.mappings().keySet());
    vllm.mappings()
        .forEach(
            (signal, mapping) -> {
              if (!own.contains(signal)) {
                assertThat(texts(Objects.requireNonNull(ray.mappings().get(signal)), true))
                    .as(signal)
                    .isEqualTo(texts(mapping, false));
              }
            });
  }

  /** What is asked, under vLLM's names with counters bare, and how well it serves. */
  private static Set<String> texts(Mapping mapping, boolean ray) {
    Map<String, Alternative> texts = new LinkedHashMap<>();
    for (Alternative alternative : mapping.alternatives()) {
      String text = alternative.template().text();
      assertThat(text.contains("ray_vllm")).isEqualTo(ray);
      texts.put(
          text.replaceAll("ray_vllm[:_]", "vllm:").replaceAll("_total(?![a-z_])", "")
              + alternative.quality(),
          alternative);
    }
    return texts.keySet();
  }

  @Test
  void underRayNamesComeInFourForms() {
    List<String> needs = new ArrayList<>();
    Objects.requireNonNull(dialect("ray-vllm").mappings().get("output_token_rate"))
        .alternatives()
        .forEach(alternative -> needs.addAll(alternative.needs()));
    assertThat(needs)
        .containsExactly(
            "ray_vllm_generation_tokens_total",
            "ray_vllm_generation_tokens",
            "ray_vllm:generation_tokens_total",
            "ray_vllm:generation_tokens");
    assertThat(CATALOGUE.families().find("ray_vllm:generation_tokens"))
        .singleElement()
        .satisfies(
            match -> {
              assertThat(match.family().now()).isEqualTo("ray_vllm_generation_tokens_total");
              assertThat(match.family().last()).isEqualTo("2025");
              assertThat(match.family().labels()).contains("engine", "WorkerId", "ReplicaId");
            });
  }

  private static Dialect dialect(String id) {
    return CATALOGUE.dialects().stream()
        .filter(one -> one.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static List<Family> families(String dialect) {
    return CATALOGUE.families().all().stream()
        .filter(family -> family.dialect().equals(dialect))
        .toList();
  }
}
