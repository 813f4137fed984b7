package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.inferometer.exposition.Bodies.Outcome;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExpositionWriterTest {
  private static String page(Format format) {
    return new ExpositionWriter(format)
        .family("scrapes", MetricType.COUNTER, "Scrapes.")
        .sample(Labels.of("job", "a\"b\\c\nd"), 3)
        .sample(Labels.of("job", "b"), 1e9)
        .family("build", MetricType.INFO, "")
        .sample(Labels.of("version", "1"), 1)
        .family("heap_bytes", MetricType.GAUGE, "Heap \\ \"now\"\n.", "bytes")
        .sample(Double.NaN)
        .family("wait_seconds", MetricType.HISTOGRAM, "Waits.", "seconds")
        .histogram(Labels.of("q", "x"), new double[] {0.1, 1}, new long[] {1, 0, 2}, 7.5)
        .family("size", MetricType.SUMMARY, "Sizes.")
        .summary(Labels.EMPTY, new double[] {0.5}, new double[] {3}, 4, 12)
        .finish();
  }

  @Test
  void text() {
    assertThat(page(Format.TEXT))
        .isEqualTo(
            """
            # HELP scrapes_total Scrapes.
            # TYPE scrapes_total counter
            scrapes_total{job="a\\"b\\\\c\\nd"} 3
            scrapes_total{job="b"} 1e+09
            # TYPE build_info gauge
            build_info{version="1"} 1
            # HELP heap_bytes Heap \\\\ "now"\\n.
            # TYPE heap_bytes gauge
            heap_bytes NaN
            # HELP wait_seconds Waits.
            # TYPE wait_seconds histogram
            wait_seconds_bucket{q="x",le="0.1"} 1
            wait_seconds_bucket{q="x",le="1.0"} 1
            wait_seconds_bucket{q="x",le="+Inf"} 3
            wait_seconds_sum{q="x"} 7.5
            wait_seconds_count{q="x"} 3
            # HELP size Sizes.
            # TYPE size summary
            size{quantile="0.5"} 3
            size_sum 12
            size_count 4
            """);
  }

  @Test
  void openMetrics() {
    assertThat(page(Format.OPENMETRICS))
        .startsWith("# HELP scrapes Scrapes.\n# TYPE scrapes counter\nscrapes_total{job=")
        .contains("# TYPE build info\nbuild_info{version=\"1\"} 1\n")
        .contains("Heap \\\\ \\\"now\\\"\\n.\n# TYPE heap_bytes gauge\n# UNIT heap_bytes bytes\n")
        .endsWith("size_count 4\n# EOF\n");
  }

  @ParameterizedTest
  @EnumSource(names = {"TEXT", "OPENMETRICS"})
  void everyPage_isAcceptedInSpecMode(Format format) {
    Outcome outcome = Bodies.read(format, Mode.SPEC, page(format));
    assertThat(outcome.refusal()).isNull();
    assertThat(outcome.samples()).hasSize(12);
    assertThat(outcome.samples().getFirst().labels().get("job")).isEqualTo("a\"b\\c\nd");
  }

  @ParameterizedTest
  @EnumSource(names = {"TEXT", "OPENMETRICS"})
  void randomPages_readBack(Format format) {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      ExpositionWriter writer = new ExpositionWriter(format);
      List<Double> values = new ArrayList<>();
      for (int family = 0; family < 5; family++) {
        writer.family("m" + family, MetricType.GAUGE, text(random));
        for (int i = 0; i < 4; i++) {
          double value = random.nextGaussian() * Math.pow(10, random.nextInt(60) - 30);
          values.add(value);
          writer.sample(Labels.of("n", i + text(random)), value);
        }
      }
      Outcome outcome = Bodies.read(format, Mode.SPEC, writer.finish());
      assertThat(outcome.refusal()).as("seed " + seed).isNull();
      assertThat(outcome.samples()).extracting(Bodies.Sample::value).isEqualTo(values);
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append("\\\n\"n{}# é\t=,".charAt(random.nextInt(12)));
    }
    return text.toString();
  }

  @Test
  void mistakes_areRefused() {
    List<Consumer<ExpositionWriter>> mistakes =
        List.of(
            w -> w.sample(1),
            w -> w.family("a.b", MetricType.GAUGE, ""),
            w -> w.family("a", MetricType.GAUGE, "").family("a", MetricType.GAUGE, ""),
            w -> w.family("a", MetricType.COUNTER, "").family("a_total", MetricType.GAUGE, ""),
            w -> w.family("a", MetricType.GAUGE, "", "seconds"),
            w -> w.family("a_x", MetricType.INFO, "", "x"),
            w -> w.family("a", MetricType.GAUGE, "").sample(Labels.of("b.c", "d"), 1),
            w -> w.family("a", MetricType.GAUGE, "").sample(Labels.of("__name__", "d"), 1),
            w -> w.family("a", MetricType.HISTOGRAM, "").sample(1),
            w ->
                w.family("a", MetricType.GAUGE, "")
                    .histogram(Labels.EMPTY, new double[0], new long[1], 0),
            w ->
                w.family("a", MetricType.HISTOGRAM, "")
                    .histogram(Labels.of("le", "1"), new double[0], new long[1], 0),
            w ->
                w.family("a", MetricType.HISTOGRAM, "")
                    .histogram(Labels.EMPTY, new double[] {1, 1}, new long[3], 0),
            w -> {
              w.family("a", MetricType.GAUGE, "").finish();
              w.sample(1);
            });
    for (Consumer<ExpositionWriter> mistake : mistakes) {
      assertThatThrownBy(() -> mistake.accept(new ExpositionWriter(Format.TEXT)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
