package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.exposition.Bodies.Outcome;
import org.inferometer.exposition.Bodies.Sample;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextParserTest {
  private static Outcome tolerant(String body) {
    return Bodies.read(Format.TEXT, Mode.TOLERANT, body);
  }

  private static ExpositionParser parser(String body) {
    ExpositionParser parser = ExpositionParser.of(Format.TEXT, Mode.PROMETHEUS);
    byte[] bytes = Bodies.bytes(body);
    parser.reset(bytes, bytes.length);
    return parser;
  }

  private static Labels one(String line) {
    List<Sample> samples = Bodies.read(Format.TEXT, Mode.PROMETHEUS, line).samples();
    assertThat(samples).as(line).hasSize(1);
    return samples.getFirst().labels();
  }

  @Test
  void events_inOrder() {
    ExpositionParser parser =
        parser("# HELP a Two \\\\ words\\nand \\\"\n# TYPE a counter\n\n# x\na{b=\"c\"} 2\n");
    assertThat(parser.next()).isEqualTo(Event.HELP);
    assertThat(parser.name()).isEqualTo("a");
    assertThat(parser.text()).isEqualTo("Two \\ words\nand \\\"");
    assertThat(parser.next()).isEqualTo(Event.TYPE);
    assertThat(parser.name()).isEqualTo("a");
    assertThat(parser.type()).isEqualTo(MetricType.COUNTER);
    assertThat(parser.next()).isEqualTo(Event.SERIES);
    assertThat(parser.value()).isEqualTo(2);
    assertThat(parser.hasTimestamp()).isFalse();
    assertThat(parser.hasExemplar()).isFalse();
    assertThatThrownBy(parser::exemplarLabels).isInstanceOf(IllegalStateException.class);
    assertThat(parser.next()).isEqualTo(Event.END);
    assertThat(parser.next()).isEqualTo(Event.END);
  }

  @Test
  void rawSeries_isNameAndLabelsAsSent() {
    String body = "a 1\nb{c=\"d\\n\"} 2 5\n{\"e.f\",g=\"h\"}3";
    ExpositionParser parser = parser(body);
    List<String> raw = new ArrayList<>();
    while (parser.next() != Event.END) {
      raw.add(body.substring(parser.rawStart(), parser.rawEnd()));
    }
    assertThat(raw).containsExactly("a", "b{c=\"d\\n\"}", "{\"e.f\",g=\"h\"}");
  }

  @Test
  void seriesKeyFlags_differWhereLabelsAreRewritten() {
    ExpositionParser parser =
        parser(
            "a{le=\"1\"} 1\n# TYPE a histogram\na{le=\"1\"} 1\n# TYPE a summary\na{le=\"1\"} 1\n");
    List<String> seen = new ArrayList<>();
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.SERIES) {
        seen.add(parser.seriesKeyFlags() + " " + parser.labels());
      }
    }
    assertThat(seen).containsExactly("0 a{le=\"1\"}", "1 a{le=\"1.0\"}", "2 a{le=\"1\"}");
  }

  @Test
  void utf8Names() {
    assertThat(one("{\"my.metric\", \"my \\\"label\\\"\"=\"é\", c=\"d\"} 1"))
        .isEqualTo(Labels.of("__name__", "my.metric", "my \"label\"", "é", "c", "d"));
    assertThat(one("a{\"b.c\"=\"d\"} 1")).isEqualTo(Labels.of("__name__", "a", "b.c", "d"));
    assertThat(one("{c=\"d\",\"a.b\",} 1")).isEqualTo(Labels.of("__name__", "a.b", "c", "d"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"\"} 1",
        "a{\"\"=\"b\"} 1",
        "{\"a\",\"b\"} 1",
        "a{\"b\"} 1",
        "{a} 1",
        "a{b} 1",
        "{\"a\" \"b\"} 1",
        "a{b=\"c\",\"b\"=\"d\"} 1",
        "a{\"x\\t\"=\"c\",\"x\\\\t\"=\"d\"} 1",
        "{\"a\",__name__=\"b\"} 1",
        "{\"a\",\"__name__\"=\"b\"} 1",
        "a{b=\"\",b=\"c\"} 1",
        "a{b=\"c\"",
        "a{b=\"c\",",
        "a{",
        "a{b",
        "a{b=",
        "a{b=\"",
        "a{b=\"\\",
        "a 1 9223372036854775808",
        "\0",
        "a 1{",
        "# HELP ",
        "# TYPE \n",
        "# HELP \"a",
        "# HELP \"\" x"
      })
  void refused(String body) {
    Outcome strict = Bodies.read(Format.TEXT, Mode.PROMETHEUS, body);
    assertThat(strict.accepted()).as("%s", strict).isFalse();
    Outcome tolerant = tolerant("first 1\n" + body + "\nlast 2\n");
    assertThat(tolerant.samples()).hasSize(2);
    assertThat(tolerant.badLines()).hasSize(1);
    assertThat(tolerant.badLines().getFirst().line()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "  \n", " # HELP a b\n", " {\"a\"} 1\n", "# HELP a-b c\n", "#HELP 1\n", "# HELPX 1\n",
        "# UNIT 1\n", "#\n", "#\tTYPE\ta counter\n", "# TYPE \"a.b\" counter\n", "#", "# HELP"
      })
  void accepted(String body) {
    Outcome strict = Bodies.read(Format.TEXT, Mode.PROMETHEUS, body);
    assertThat(strict.accepted()).as("%s", strict).isTrue();
  }

  @Test
  void badLines_tellWhereAndWhy() {
    Outcome outcome = tolerant("good 1\né{\nbad{x=\"é\",y=z} 1\nworse 1,5\ngood 2\n");
    assertThat(outcome.samples()).hasSize(2);
    assertThat(outcome.badLines())
        .containsExactly(
            new BadLine(2, 1, "no start of a line", "a metric name, { or #", "é{"),
            new BadLine(
                3,
                13,
                "label value without quotes",
                "a value in double quotes",
                "bad{x=\"é\",y=z} 1"),
            new BadLine(
                4, 7, "not a number", "a number such as 1, 0.5, 1e-3, NaN or +Inf", "worse 1,5"));
  }

  @ParameterizedTest
  @CsvSource({
    "a 1 -5, timestamp with a sign",
    "a 1 # {}, # after the value",
    "a 1 5 6, more after the timestamp",
    "a -nan, NaN with a sign",
    "a, no value",
    "' a 1', blank before the metric name"
  })
  void reasons(String line, String reason) {
    assertThat(tolerant(line).badLines().getFirst().reason()).isEqualTo(reason);
  }

  @Test
  void carriageReturns_areNamed() {
    assertThat(tolerant("a 1\r\nb 1 5\r\nc 1 \r\n").badLines())
        .hasSize(3)
        .allMatch(bad -> bad.column() > 3 && bad.excerpt().endsWith("\\r"));
    assertThat(tolerant("a 1\r\n").badLines().getFirst().reason()).isEqualTo("carriage return");
  }

  @Test
  void openQuote_costsItsOwnLineOnly() {
    Outcome outcome = tolerant("a{b=\"x} 1\nc{d=\"y\"} 2\ne 3\n");
    assertThat(outcome.samples().toString()).isEqualTo("[c{d=\"y\"} 2.0, e 3.0]");
    assertThat(outcome.badLines()).hasSize(1);
    assertThat(outcome.badLines().getFirst().reason()).isEqualTo("quote not closed");
    assertThat(outcome.badLines().getFirst().column()).isEqualTo(5);
  }

  @Test
  void refusedType_endsTheTypeBefore() {
    Outcome outcome = tolerant("# TYPE a histogram\n# TYPE b foo\nb{le=\"1\"} 1\n");
    assertThat(outcome.samples().getFirst().labels().get("le")).isEqualTo("1");
  }

  @Test
  void reports_areBounded_theirCountIsExact() {
    ExpositionParser parser = ExpositionParser.of(Format.TEXT, Mode.TOLERANT);
    byte[] body = Bodies.bytes("!\n".repeat(1000) + "a 1\n");
    parser.reset(body, body.length);
    int bad = 0;
    while (parser.next() == Event.BAD_LINE) {
      bad++;
      assertThat(parser.lastBadLine().line()).isEqualTo(bad);
    }
    assertThat(bad).isEqualTo(1000);
    assertThat(parser.badLineCount()).isEqualTo(1000);
    assertThat(parser.badLines()).hasSize(ExpositionParser.MAX_KEPT);
    assertThat(parser.labels()).isEqualTo(Labels.of("__name__", "a"));
  }

  @Test
  void excerpt_isShortenedAroundTheColumn() {
    BadLine bad =
        tolerant("a{b=\"" + "x".repeat(500) + "\"} ?" + " ".repeat(500)).badLines().getFirst();
    assertThat(bad.excerpt())
        .hasSizeLessThan(100)
        .contains("xx\"} ?")
        .startsWith("...")
        .endsWith("...");
    assertThat(bad.column()).isEqualTo(509);
  }

  @Test
  void reset_startsOver() {
    ExpositionParser parser = ExpositionParser.of(Format.TEXT, Mode.TOLERANT);
    byte[] first = Bodies.bytes("# TYPE a histogram\n!\n");
    parser.reset(first, first.length);
    while (parser.next() != Event.END) {}
    byte[] second = Bodies.bytes("a 1\n!b 2");
    parser.reset(second, 3);
    assertThat(parser.next()).isEqualTo(Event.SERIES);
    assertThat(parser.type()).isEqualTo(MetricType.UNKNOWN);
    assertThat(parser.next()).isEqualTo(Event.END);
    assertThat(parser.badLineCount()).isZero();
  }

  @Test
  void invalidUtf8_isRefused_whereTextIsKept() {
    for (String body : List.of("a{b=\"?\"} 1", "# HELP a ?", "{\"?\"} 1", "a{\"?\"=\"b\"} 1")) {
      for (String bytes :
          List.of(
              "\u00ff",
              "\u00c0\u0080",
              "\u00ed\u00a0\u0080",
              "\u00c3",
              "\u00f4\u0090\u0080\u0080",
              "\u00e0\u0080\u0080",
              "\u00f0\u008f\u00bf\u00bf",
              "\u0080")) {
        byte[] raw = body.replace("?", bytes).getBytes(StandardCharsets.ISO_8859_1);
        Outcome outcome = Bodies.read(Format.TEXT, Mode.PROMETHEUS, raw);
        assertThat(outcome.refusal()).as(body).isNotNull();
      }
    }
    byte[] comment = "# \u00ff".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(Bodies.read(Format.TEXT, Mode.PROMETHEUS, comment).accepted()).isTrue();
    assertThat(one("a{b=\"\uD83D\uDE00 \uE000 \u0080\"} 1").get("b")).hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a 1",
        "a{b=\"\\t\"} 1\n",
        "a{b=\"x\" c=\"y\"} 1\n",
        "a{b=\"x\ny\"} 1\n",
        "# TYPE a gauge\n# TYPE a gauge\n",
        "# HELP a b\n# HELP a b\n",
        "a 1\n# TYPE a gauge\n",
        "# TYPE a histogram\na_bucket{le=\"x\"} 1\n",
        "# TYPE a summary\na{quantile=\"x\"} 1\n",
        "a 1\na 1\n"
      })
  void specMode_refuses(String body) {
    assertThat(Bodies.read(Format.TEXT, Mode.SPEC, body).accepted()).isFalse();
  }

  @Test
  void specMode_accepts() {
    Outcome outcome =
        Bodies.read(
            Format.TEXT,
            Mode.SPEC,
            """
            # TYPE a summary
            a{quantile="0.5"} 1
            a_sum 1
            a_count 1
            b 1 -5
            b 1 6
            # HELP c x
            # TYPE c histogram
            c_bucket{le="+Inf"} 1
            """);
    assertThat(outcome.refusal()).isNull();
  }
}
