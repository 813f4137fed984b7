package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.exposition.Bodies.Outcome;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenMetricsParserTest {
  private static Outcome read(Mode mode, String body) {
    return Bodies.read(Format.OPENMETRICS, mode, body);
  }

  private static ExpositionParser parser(String body) {
    ExpositionParser parser = ExpositionParser.of(Format.OPENMETRICS, Mode.PROMETHEUS);
    byte[] bytes = Bodies.bytes(body);
    parser.reset(bytes, bytes.length);
    return parser;
  }

  @Test
  void metadata() {
    ExpositionParser parser =
        parser(
            "# TYPE a_seconds histogram\n# UNIT a_seconds seconds\n# HELP a_seconds \\\"x\\\"\n# EOF\n");
    assertThat(parser.next()).isEqualTo(Event.TYPE);
    assertThat(parser.type()).isEqualTo(MetricType.HISTOGRAM);
    assertThat(parser.next()).isEqualTo(Event.UNIT);
    assertThat(parser.name()).isEqualTo("a_seconds");
    assertThat(parser.text()).isEqualTo("seconds");
    assertThat(parser.next()).isEqualTo(Event.HELP);
    assertThat(parser.text()).isEqualTo("\"x\"");
    assertThat(parser.next()).isEqualTo(Event.END);
  }

  @Test
  void exemplar() {
    ExpositionParser parser =
        parser("a_total{x=\"y\"} 1 2.5 # {trace=\"é1\",b=\"\"} 0.5 1.25\na_total 2\n# EOF");
    parser.next();
    assertThat(parser.labels()).isEqualTo(Labels.of("__name__", "a_total", "x", "y"));
    assertThat(parser.timestampMs()).isEqualTo(2500);
    assertThat(parser.hasExemplar()).isTrue();
    assertThat(parser.exemplarLabels()).isEqualTo(Labels.of("trace", "é1"));
    assertThat(parser.exemplarLength()).isEqualTo("traceé1b".length());
    assertThat(parser.exemplarValue()).isEqualTo(0.5);
    assertThat(parser.hasExemplarTimestamp()).isTrue();
    assertThat(parser.exemplarTimestampMs()).isEqualTo(1250);
    assertThat(parser.next()).isEqualTo(Event.SERIES);
    assertThat(parser.hasExemplar()).isFalse();
    assertThat(parser.hasTimestamp()).isFalse();
    assertThat(parser.next()).isEqualTo(Event.END);
  }

  @ParameterizedTest
  @CsvSource({
    "1.9999, 1999",
    "-1.9999, -1999",
    "0, 0",
    "1e3, 1000000",
    "1e300, 9223372036854775807"
  })
  void timestamps_areCutOffToMilliseconds(String seconds, long ms) {
    ExpositionParser parser = parser("a 1 " + seconds + "\n# EOF\n");
    parser.next();
    assertThat(parser.timestampMs()).isEqualTo(ms);
  }

  @Test
  void missingEof_isReportedButNotFatal() {
    Outcome outcome = read(Mode.TOLERANT, "a 1\nb 2\n");
    assertThat(outcome.samples()).hasSize(2);
    assertThat(outcome.badLines()).hasSize(1);
    assertThat(outcome.badLines().getFirst().line()).isEqualTo(3);
    assertThat(outcome.badLines().getFirst().reason()).isEqualTo("no # EOF at the end");
  }

  @Test
  void cutOffLine_isNotKept() {
    Outcome outcome = read(Mode.TOLERANT, "a 1\nb 12");
    assertThat(outcome.samples().toString()).isEqualTo("[a 1.0]");
    assertThat(outcome.badLines()).extracting(BadLine::line).containsExactly(2, 2);
  }

  @Test
  void secondPage_isKept_theFirstEofReported() {
    Outcome outcome = read(Mode.TOLERANT, "a 1\n# EOF\nb 2\n# EOF\n");
    assertThat(outcome.samples()).hasSize(2);
    assertThat(outcome.badLines()).extracting(BadLine::line).containsExactly(2);
  }

  @ParameterizedTest
  @CsvSource({
    "'', blank line",
    "' a 1', blank at the start",
    "# x, comment",
    "#, comment",
    "# EOFX, text after # EOF",
    "a  1, no value",
    "a{b=\"c\"}1, no value",
    "'a{b=\"c\", d=\"e\"} 1', no label name",
    "a{b=\"c\"d=\"e\"} 1, no comma after a label",
    "a 1 NaN, timestamp that is no point in time",
    "a 1 # {\"x\"} 1, no = after a label name",
    "'a 1 ', no timestamp",
    "a 1 2 3, more after the sample",
    "# TYPE a untyped, invalid metric type",
    "# UNIT a b, unit that isn't the end of the name",
    "# HELP a, no text in HELP"
  })
  void reasons(String line, String reason) {
    Outcome outcome = read(Mode.TOLERANT, "x 1\n" + line + "\ny 1\n# EOF\n");
    assertThat(outcome.samples()).hasSize(2);
    assertThat(outcome.badLines()).hasSize(1);
    assertThat(outcome.badLines().getFirst().reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a.b\",\"c.d\"=\"e\"} 1\n# EOF\n",
        "a{b=\"c\",} 1\n# EOF",
        "# UNIT a \n# EOF\n",
        "# TYPE a counter\na_total 1\na 1 # {} 1\n# EOF\n",
        "a{le=\"1\",} +Inf 1 # {} nan\n# EOF\n",
        "a 1 # {b=\"c\",b=\"d\"} 1\n# EOF\n"
      })
  void acceptedByPrometheus(String body) {
    assertThat(read(Mode.PROMETHEUS, body).refusal()).isNull();
    assertThat(read(Mode.TOLERANT, body).badLines()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a.b\"} 1\n",
        "a{\"b\"=\"c\"} 1\n",
        "a{b=\"c\",} 1\n",
        "a 1\na 1\n",
        "# TYPE a counter\na 1\n",
        "# TYPE a counter\na_total -1\n",
        "# TYPE a counter\na_total 1 # {b=\"c\",b=\"d\"} 1\n",
        "a 1 # {} 1\n",
        "a 1\nb 1\na{x=\"y\"} 1\n",
        "a{x=\"1\"} 1\na{x=\"2\"} 1\na{x=\"1\"} 2\n",
        "# TYPE a gauge\n# TYPE b gauge\n# HELP a x\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\n",
        "# TYPE a histogram\na_bucket{le=\"+Inf\"} 0.5\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 1\n# TYPE b gauge\n",
        "# TYPE a histogram\na_bucket{x=\"1\",le=\"1\"} 1\na_bucket{x=\"2\",le=\"+Inf\"} 1\n",
        "# TYPE a summary\na{quantile=\"1.5\"} 1\n",
        "# TYPE a stateset\na{b=\"c\"} 1\n",
        "# TYPE a info\na_info{b=\"c\"} 0\n",
        "# TYPE a counter\na_created NaN\n",
        "# TYPE a gauge\n# UNIT a_b b\n# TYPE a gauge\n",
        "# HELP a x\n# HELP a y\n",
        "# TYPE a counter\n# TYPE a_total gauge\n"
      })
  void specMode_refuses(String body) {
    Outcome outcome = read(Mode.SPEC, body + "# EOF\n");
    assertThat(outcome.accepted()).as(body).isFalse();
    assertThat(outcome.reason().toString()).contains("line ");
  }

  @Test
  void specMode_namesTheLineOfAHistogramThatEndedTooEarly() {
    Outcome outcome =
        read(Mode.SPEC, "# TYPE a histogram\na_bucket{le=\"1.0\"} 1\n# TYPE b gauge\nb 1\n# EOF\n");
    assertThat(outcome.reason().line()).isEqualTo(2);
    assertThat(outcome.reason().reason()).isEqualTo("histogram without its last bucket");
  }

  @Test
  void specMode_acceptsWholePage() {
    List<String> lines =
        List.of(
            "# TYPE a counter",
            "# HELP a A.",
            "a_total{x=\"1\"} 1 # {t=\"u\"} 1",
            "a_created{x=\"1\"} 5",
            "a_total{x=\"2\"} 1",
            "# TYPE h histogram",
            "h_bucket{le=\"1.0\"} 1",
            "h_bucket{le=\"+Inf\"} 2",
            "h_count 2",
            "h_sum 2.5",
            "h_bucket{x=\"1\",le=\"+Inf\"} 2 1.5",
            "h_bucket{x=\"1\",le=\"+Inf\"} 3 2.5",
            "# TYPE i info",
            "i_info{a=\"b\"} 1",
            "i_info{a=\"c\"} 1",
            "# TYPE s stateset",
            "s{s=\"on\"} 1",
            "s{s=\"off\"} 0",
            "# EOF");
    assertThat(read(Mode.SPEC, String.join("\n", lines)).refusal()).isNull();
  }
}
