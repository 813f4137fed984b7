package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.inferometer.exposition.Bodies.Outcome;
import org.inferometer.exposition.Bodies.Sample;
import org.inferometer.model.Labels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The recorded verdicts: Prometheus 2.42's on all bodies, OpenMetrics's own on its cases. */
class ConformanceTest {
  /** Where Prometheus 3 accepts what 2.42 refused. */
  private static final Map<String, String> ACCEPTED_BY_3 =
      Map.of(
          "quoted_label", "3.0: label names in quotes",
          "quoted_name", "3.0: metric names in quotes",
          "quoted_name_labels", "3.0: metric names in quotes",
          "bad_exemplars_on_unallowed_metric_types_1", "3.x: exemplars on any sample",
          "bad_exemplars_on_unallowed_samples_0", "3.x: exemplars on any sample",
          "bad_exemplars_on_unallowed_samples_1", "3.x: exemplars on any sample");

  /** Where 3.0 stores another text of a number than 2.42: label value sent, label value stored. */
  private static final Map<String, Map<String, String>> NORMALIZED_BY_3 =
      Map.of(
          "histogram_no_inf", Map.of("1", "1.0"),
          "le_int", Map.of("1", "1.0"),
          "bad_histograms_9", Map.of("1", "1.0", "2", "2.0"),
          "bad_grouping_or_ordering_3", Map.of("0", "0.0", "1", "1.0"),
          "bad_histograms_12", Map.of("+INF", "+Inf"),
          "summary_quantiles", Map.of("1", "1.0"));

  static Stream<OracleCase> text() throws IOException {
    return OracleCase.text().stream();
  }

  static Stream<OracleCase> openMetrics() throws IOException {
    return OracleCase.openMetrics().stream();
  }

  @ParameterizedTest
  @MethodSource("text")
  void prometheusMode_text(OracleCase oracle) {
    checkPrometheusMode(oracle, Format.TEXT);
  }

  @ParameterizedTest
  @MethodSource("openMetrics")
  void prometheusMode_openMetrics(OracleCase oracle) {
    checkPrometheusMode(oracle, Format.OPENMETRICS);
  }

  private static void checkPrometheusMode(OracleCase oracle, Format format) {
    Outcome outcome = Bodies.read(format, Mode.PROMETHEUS, oracle.body());
    boolean accepted = oracle.accepted() || ACCEPTED_BY_3.containsKey(oracle.name());
    assertThat(outcome.accepted()).as("%s", outcome).isEqualTo(accepted);
    if (oracle.accepted()) {
      assertThat(outcome.samples()).hasSize(oracle.samples());
      Map<Labels, Double> stored = stored(outcome.samples());
      assertThat(stored).containsAllEntriesOf(expected(oracle));
      if (oracle.complete()) {
        assertThat(stored).hasSameSizeAs(oracle.stored());
      }
    }
  }

  /** What is left at the time of the scrape: without own timestamps, the first of duplicates. */
  private static Map<Labels, Double> stored(List<Sample> samples) {
    Map<Labels, Double> stored = new HashMap<>();
    for (Sample sample : samples) {
      if (sample.timestampMs() == null) {
        stored.putIfAbsent(sample.labels(), sample.value());
      }
    }
    return stored;
  }

  private static Map<Labels, Double> expected(OracleCase oracle) {
    Map<String, String> rewritten = NORMALIZED_BY_3.getOrDefault(oracle.name(), Map.of());
    Map<Labels, Double> expected = new HashMap<>();
    oracle
        .stored()
        .forEach(
            (labels, value) -> {
              Labels normal = labels;
              for (String number : List.of("le", "quantile")) {
                String text = labels.get(number);
                normal = normal.with(number, rewritten.getOrDefault(text, text));
              }
              expected.put(normal, value);
            });
    return expected;
  }

  @Test
  void casesWhereVersion3Differs_areThere() throws IOException {
    List<String> names =
        Stream.concat(text(), openMetrics()).map(OracleCase::name).collect(Collectors.toList());
    assertThat(names).hasSize(103 + 142);
    assertThat(names).containsAll(ACCEPTED_BY_3.keySet()).containsAll(NORMALIZED_BY_3.keySet());
  }

  @ParameterizedTest
  @MethodSource("text")
  void tolerantMode_text(OracleCase oracle) {
    checkTolerantMode(oracle, Format.TEXT);
  }

  @ParameterizedTest
  @MethodSource("openMetrics")
  void tolerantMode_openMetrics(OracleCase oracle) {
    checkTolerantMode(oracle, Format.OPENMETRICS);
  }

  private static void checkTolerantMode(OracleCase oracle, Format format) {
    Outcome tolerant = Bodies.read(format, Mode.TOLERANT, oracle.body());
    Outcome strict = Bodies.read(format, Mode.PROMETHEUS, oracle.body());
    assertThat(tolerant.badLines().isEmpty()).isEqualTo(strict.accepted());
    assertThat(tolerant.samples().toString())
        .startsWith(strict.samples().toString().replaceFirst("]$", ""));
    if (!strict.accepted()) {
      assertThat(tolerant.badLines().getFirst()).isEqualTo(strict.refusal());
    }
  }

  @Test
  void specMode_openMetrics() throws IOException {
    Map<String, String> expected = new TreeMap<>();
    Map<String, String> actual = new TreeMap<>();
    for (String row : OracleCase.rows("promql/exposition/openmetrics/PROVENANCE.tsv")) {
      String[] cells = row.split("\t", -1);
      expected.put(cells[0], cells[5]);
      byte[] body = Files.readAllBytes(Shared.path("promql/exposition/openmetrics/" + cells[0]));
      Outcome outcome = Bodies.read(Format.OPENMETRICS, Mode.SPEC, body);
      actual.put(cells[0], outcome.accepted() ? "yes" : "no");
    }
    assertThat(
            expected.values().stream()
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting())))
        .isEqualTo(Map.of("yes", 28L, "no", 114L));
    assertThat(actual).isEqualTo(expected);
  }

  /** The corpus of prometheus/common names each body by its verdict. */
  @Test
  void specMode_text() throws IOException {
    List<String> wrong = new ArrayList<>();
    try (Stream<java.nio.file.Path> files =
        Files.list(Shared.path("fixtures/exposition/prometheus-common"))) {
      for (java.nio.file.Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        Outcome outcome = Bodies.read(Format.TEXT, Mode.SPEC, Files.readAllBytes(file));
        if (outcome.accepted() == name.contains("error")) {
          wrong.add(name + ": " + outcome);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }
}
