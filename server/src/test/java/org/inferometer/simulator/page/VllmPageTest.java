package org.inferometer.simulator.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** vLLM's pages against the catalogue of its metrics and the pages that real servers had. */
class VllmPageTest {
  private static final String[] EVERYTHING = {
    "speculation", "3", "adapters", "4", "transfers", "1"
  };

  static Stream<Arguments> releases() {
    List<Arguments> all = new ArrayList<>();
    for (String release :
        List.of(
            "0.8.5", "0.9.0", "0.9.2", "0.10.0", "0.10.2", "0.11.0", "0.11.2", "0.13.0", "0.15.1",
            "0.16.0", "0.17.0", "0.20.0", "0.26.0", "0.31.0", "0.33.0")) {
      all.add(Arguments.of(release, "python"));
      all.add(Arguments.of(release, "multiprocess"));
    }
    for (String release : List.of("0.22.0", "0.26.0", "0.31.0")) {
      all.add(Arguments.of(release, "rust"));
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("releases")
  void page_hasWhatTheCatalogueSays_andNothingElse(String release, String frontend) {
    Map<String, Families.Found> page =
        Families.of(VllmSample.text("vllm", release, frontend, EVERYTHING));
    Map<String, VllmCatalogue.Row> expected = VllmCatalogue.of(release, frontend);
    TreeSet<String> names = new TreeSet<>(page.keySet());
    names.removeIf(name -> name.endsWith("_created"));
    assertThat(names).isEqualTo(new TreeSet<>(expected.keySet()));
    Families.Found usage = page.get("vllm:kv_cache_usage_perc");
    if (usage != null && usage.labels.remove("pid")) {
      assertThat(frontend).isEqualTo("multiprocess");
      assertThat(release).isIn("0.9.2", "0.10.0", "0.10.2", "0.11.0");
    }
    expected.forEach((name, row) -> compare(row, Objects.requireNonNull(page.get(name), name)));
  }

  private static void compare(VllmCatalogue.Row row, Families.Found family) {
    assertThat(family.type).as(row.name()).isEqualTo(row.type());
    assertThat(family.samples).as(row.name()).isPositive();
    if (row.labels() != null) {
      assertThat(family.labels).as(row.name()).isEqualTo(row.labels());
    }
    if (row.bounds() != null) {
      assertThat(family.bounds).as(row.name()).isEqualTo(row.bounds());
    }
  }

  /** A gauge for each counter, histogram and summary but those of the client's own collectors. */
  @ParameterizedTest
  @MethodSource("releases")
  void creation_isShownByOneProcessOfPythonAlone(String release, String frontend) {
    TreeSet<String> expected = new TreeSet<>();
    TreeSet<String> found = new TreeSet<>();
    Families.of(VllmSample.text("vllm", release, frontend, EVERYTHING))
        .forEach(
            (name, family) -> {
              if (name.endsWith("_created")) {
                found.add(name);
                assertThat(family.type).isEqualTo("gauge");
              } else if (!family.type.equals("gauge") && !name.matches("(process|python)_.*")) {
                boolean isCounter = family.type.equals("counter");
                expected.add((isCounter ? name.replaceAll("_total$", "") : name) + "_created");
              }
            });
    assertThat(found).isEqualTo(frontend.equals("python") ? expected : new TreeSet<>());
  }

  @Test
  void families_areThoseOfARealServer() throws IOException {
    Map<String, String> real = new TreeMap<>();
    for (String line :
        Files.readAllLines(
            Shared.path(
                "fixtures/metrics/vllm_v0.26.0-cpu_metric-family-list_inference-perf.txt"))) {
      if (line.startsWith("vllm:")) {
        real.put(line.split(" ")[0], line.split(" ")[1]);
      }
    }
    Map<String, String> made = new TreeMap<>();
    Families.of(VllmSample.text("vllm", "0.26.0", "multiprocess"))
        .forEach(
            (name, family) -> {
              if (name.startsWith("vllm:")) {
                made.put(name, family.type);
              }
            });
    assertThat(made).isEqualTo(real);
  }

  /** Line by line what is about the same family, but for the numbers and the model's name. */
  @Test
  void lines_areThoseOfARealServer() throws IOException {
    List<String> real =
        Files.readAllLines(
            Shared.path(
                "fixtures/metrics/vllm_v0.10.0-deprecated-gpu-names-and-created_production-stack-issue617_excerpt.prom"));
    List<String> made =
        VllmSample.text("vllm", "0.10.0", "python").lines().map(VllmPageTest::shape).toList();
    assertThat(real).hasSizeGreaterThan(20);
    for (String line : real) {
      assertThat(made).contains(shape(line));
    }
    assertThat(shape("a{le=\"1.0\",model_name=\"m\"} 3.0"))
        .isEqualTo("a{le=\"1.0\",model_name=\"\"} 0");
  }

  private static String shape(String line) {
    return line.startsWith("#")
        ? line
        : line.replaceAll("model_name=\"[^\"]*\"", "model_name=\"\"").replaceAll(" \\S+$", " 0");
  }

  @Test
  void hiddenNames_areGoneAndBothNamesStandTogether_asInTheReleases() {
    assertThat(names("0.9.1"))
        .contains("vllm:gpu_cache_usage_perc")
        .doesNotContain("vllm:kv_cache_usage_perc");
    assertThat(names("0.10.2")).contains("vllm:gpu_cache_usage_perc", "vllm:kv_cache_usage_perc");
    assertThat(names("0.11.0"))
        .contains("vllm:kv_cache_usage_perc")
        .doesNotContain("vllm:gpu_cache_usage_perc");
    assertThat(names("0.11.2")).contains("vllm:time_per_output_token_seconds");
    assertThat(names("0.12.0")).doesNotContain("vllm:time_per_output_token_seconds");
  }

  private static List<String> names(String release) {
    return VllmSample.form("vllm", release, "python").families();
  }

  @Test
  void clientsThatWentAway_areNeverCountedInPython_butInRust() {
    assertThat(VllmSample.text("vllm", "0.31.0", "python"))
        .contains("finished_reason=\"abort\",model_name=\"Qwen/Qwen3-32B\"} 0.0\n");
    assertThat(VllmSample.text("vllm", "0.31.0", "rust"))
        .contains("engine=\"0\",finished_reason=\"abort\"} 3\n")
        .endsWith("# EOF\n");
  }

  @Test
  void blocks_areCountedUntil08_andTokensSince() {
    assertThat(VllmSample.text("vllm", "0.8.5", "python"))
        .contains(
            "vllm:gpu_prefix_cache_queries_total{engine=\"0\",model_name=\"Qwen/Qwen3-32B\"} 250.0\n");
    assertThat(VllmSample.text("vllm", "0.9.0", "python"))
        .contains(
            "vllm:gpu_prefix_cache_queries_total{engine=\"0\",model_name=\"Qwen/Qwen3-32B\"} 4000.0\n");
  }
}
