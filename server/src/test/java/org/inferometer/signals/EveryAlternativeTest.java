package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every query of a dialect, asked of a page that has all its families, twice each. */
class EveryAlternativeTest {
  private static final Catalogue CATALOGUE = Catalogue.builtIn();
  private static final List<Matcher> TARGETS = List.of(Matcher.equal("job", "job"));

  static Stream<Dialect> dialects() {
    Set<String> ids =
        Set.of(
            "sglang",
            "sglang-renamed",
            "tgi",
            "llamacpp",
            "llamacpp-renamed",
            "lmdeploy",
            "smg",
            "vllm-router",
            "production-stack-router",
            "llm-d-router",
            "vllm",
            "vllm-renamed",
            "ray-vllm",
            "nim");
    return CATALOGUE.dialects().stream().filter(dialect -> ids.contains(dialect.id()));
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void isAnswered(Dialect dialect) {
    QueryService queries = Backend.queries(world(dialect.id()));
    List<String> failures = new ArrayList<>();
    for (Template template : templates(dialect)) {
      if (template.missing(Known.NOTHING) != null) {
        continue; // It takes a number that nobody told.
      }
      for (List<String> by : List.of(List.<String>of(), List.of("instance"))) {
        String text = template.render(new Template.Values(TARGETS, TARGETS, by, 60_000));
        try {
          queries.instant(new QueryService.InstantQuery(text, TestWorld.NOW_MS));
        } catch (QueryException e) {
          failures.add(e.getMessage() + "\n" + text);
        }
      }
    }
    assertThat(failures).isEmpty();
  }

  private static List<Template> templates(Dialect dialect) {
    List<Template> templates = new ArrayList<>();
    dialect.profile().traps().forEach(trap -> templates.add(trap.query()));
    dialect.profile().facets().forEach(facet -> templates.add(facet.query()));
    dialect
        .mappings()
        .values()
        .forEach(mapping -> mapping.alternatives().forEach(a -> templates.add(a.template())));
    return templates;
  }

  private static TestWorld world(String dialect) {
    List<Dump.Sample> samples = new ArrayList<>();
    for (Family family : CATALOGUE.families().all()) {
      if (family.dialect().equals(dialect)) {
        for (String value : List.of("0", "1")) {
          Labels labels = Labels.EMPTY;
          for (String label : family.labels()) {
            labels = labels.with(label, value);
          }
          add(family, labels, samples);
          // Without labels both rows would be one series.
          if (family.labels().isEmpty()) {
            break;
          }
        }
      }
    }
    Dump page = new Dump("page", samples);
    return new TestWorld().add(page, "job", "a:1").add(page, "job", "b:1");
  }

  private static void add(Family family, Labels labels, List<Dump.Sample> samples) {
    if (family.type().hasSumAndCount()) {
      samples.add(sample(family.name() + "_sum", labels, 5));
      samples.add(sample(family.name() + "_count", labels, 3));
    }
    if (family.type() == FamilyType.HISTOGRAM) {
      samples.add(sample(family.name() + "_bucket", labels.with("le", "1.0"), 1));
      samples.add(sample(family.name() + "_bucket", labels.with("le", "10.0"), 3));
      samples.add(sample(family.name() + "_bucket", labels.with("le", "+Inf"), 3));
    } else if (!family.type().hasSumAndCount()) {
      samples.add(sample(family.name(), labels, 1));
    }
  }

  private static Dump.Sample sample(String name, Labels labels, double value) {
    return new Dump.Sample(labels.with(Labels.NAME, name), value);
  }
}
