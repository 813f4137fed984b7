package org.inferometer.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.promql.Expr.At;
import org.inferometer.promql.Expr.Binary;
import org.inferometer.promql.Expr.Cardinality;
import org.inferometer.promql.Expr.NumberLiteral;
import org.inferometer.promql.Expr.StringLiteral;
import org.inferometer.promql.Expr.VectorSelector;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ParserTest {
  /** A query as written, then as printed. */
  private static final String FORMS =
      """
      1
      1

      +Inf
      +Inf

      -inF
      -Inf

      nan
      NaN

      .5
      0.5

      1e-3
      0.001

      0x1F
      31

      0X_1f
      31

      017
      15

      089
      89

      1_000_000
      1000000

      1h30m
      1h30m

      -5m
      -5m

      90d
      90d

      14d
      2w

      'a"b'
      "a\\"b"

      `a\\b`
      "a\\\\b"

      1 + 2 * 3 ^ 4
      1 + 2 * 3 ^ 4

      a / on(b,) c
      a / on (b) c

      a / on() c
      a / on () c

      a / ignoring() c
      a / c

      a * on(b) group_left c
      a * on (b) group_left () c

      a * ignoring(b) GROUP_RIGHT(d, e) c
      a * ignoring (b) group_right (d, e) c

      a > bool on(x) b
      a > bool on (x) b

      a + on(b) fill(0) c
      a + on (b) fill (0) c

      a + fill_right(-Inf) fill_left(1m) b
      a + fill_left (60) fill_right (-Inf) b

      fill + fill
      fill + fill

      h </ 5 >/ 1
      h </ 5 >/ 1

      a and on(b) c unless d or e
      a and on (b) c unless d or e

      SUM(a)
      sum(a)

      sum by () (a)
      sum(a)

      sum without () (a)
      sum without () (a)

      sum(a) by (b, "c d")
      sum by (b, "c d") (a)

      sum by (sum, on, bool, start, offset) (a)
      sum by (sum, on, bool, start, offset) (a)

      topk(3, a) without (b)
      topk without (b) (3, a)

      count_values("x", a)
      count_values("x", a)

      foo{b="2",a='1',}
      foo{a="1",b="2"}

      {a!~"x|"}
      {a!~"x|"}

      {"foo"}
      foo

      {"foo.bar"}
      {"foo.bar"}

      {"foo.bar",x="1"}
      {"foo.bar",x="1"}

      {"label.x"="1"}
      {"label.x"="1"}

      {"foo",__name__=~"f.*"}
      {__name__="foo",__name__=~"f.*"}

      job:foo:sum5m[5m]
      job:foo:sum5m[5m]

      foo[300]
      foo[5m]

      foo[5m:]
      foo[5m:]

      foo[5m : 10s] offset 1m @ 10
      foo[5m:10s] @ 10.000 offset 1m

      foo offset -1.5
      foo offset -1s500ms

      foo @ -1.5 offset 0s
      foo @ -1.500

      foo @ start()
      foo @ start()

      foo[5m] @ end() offset 5m
      foo[5m] @ end() offset 5m

      foo[2m*(1+2)]
      foo[2m * (1 + 2)]

      foo[min_of(STEP(), 1h) + range()]
      foo[min_of(step(), 1h) + range()]

      foo offset -step()
      foo offset -step()

      foo offset (2^2)
      foo offset (2 ^ 2)

      foo[-1m + 5m]
      foo[-1m + 5m]

      foo anchored
      foo anchored

      foo[5m] smoothed offset 1m
      foo[5m] smoothed offset 1m

      step() + range() * end() - start()
      step() + range() * end() - start()

      sum + min / by > without
      sum + min / by > without

      start{a="b"} - end
      start{a="b"} - end
      """;

  @TestFactory
  Collection<DynamicTest> printedForms() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String pair : FORMS.strip().split("\n\n")) {
      String[] lines = pair.split("\n");
      tests.add(
          DynamicTest.dynamicTest(
              lines[0],
              () -> assertThat(Printer.print(Parser.parse(lines[0]))).isEqualTo(lines[1])));
    }
    return tests;
  }

  /** With parentheses around every operation, which shows how operators bind. */
  private static String grouped(String query) throws ParseException {
    return grouped(Parser.parse(query));
  }

  private static String grouped(Expr expr) {
    return switch (expr) {
      case Binary b -> "(" + grouped(b.left()) + b.op().symbol() + grouped(b.right()) + ")";
      case Expr.Unary u -> "(" + (u.minus() ? "-" : "+") + grouped(u.operand()) + ")";
      case Expr other -> Printer.print(other);
    };
  }

  @Test
  void operatorsBindByStrength() throws ParseException {
    assertThat(grouped("-1^2")).isEqualTo("(-(1^2))");
    assertThat(grouped("2^3^2")).isEqualTo("(2^(3^2))");
    assertThat(grouped("2^-1*3")).isEqualTo("((2^-1)*3)");
    assertThat(grouped("-a*b")).isEqualTo("((-a)*b)");
    assertThat(grouped("a-b-c%d atan2 e")).isEqualTo("((a-b)-((c%d)atan2e))");
    assertThat(grouped("a or b and c unless d == e + f"))
        .isEqualTo("(aor((bandc)unless(d==(e+f))))");
    assertThat(grouped("a < b </ 3 > c")).isEqualTo("(((a<b)</3)>c)");
    assertThat(grouped("-a offset 5m")).isEqualTo("(-a offset 5m)");
    assertThat(grouped("a offset 2 ^ 2")).isEqualTo("(a offset 2s^2)");
    assertThat(grouped("a offset -step()*2")).isEqualTo("(a offset -step()*2)");
  }

  @Test
  void signsOfNumbersArePartOfThem() throws ParseException {
    assertThat(Parser.parse("--1")).isEqualTo(new NumberLiteral(1, false, new Span(0, 3)));
    assertThat(Parser.parse("-5m")).isEqualTo(new NumberLiteral(-300, true, new Span(0, 3)));
    assertThat(Parser.parse("-(1)")).isInstanceOf(Expr.Unary.class);
  }

  @Test
  void stringsUnescapeAsInGo() throws ParseException {
    assertThat(string("\"\\a\\b\\f\\n\\r\\t\\v\\\\\\\"\"")).isEqualTo("\u0007\b\f\n\r\t\u000b\\\"");
    assertThat(string("'\\'\\101\\x41\\u00e9\\U0001F600'")).isEqualTo("'AA\u00e9\uD83D\uDE00");
    assertThat(string("\"\\xc3\\xa9\"")).isEqualTo("\u00e9");
    assertThat(string("`\\n\n`")).isEqualTo("\\n\n");
  }

  @Test
  void bytesThatAreNoTextStayApart() throws ParseException {
    Expr tree = Parser.parse("\"a\\xffb\"");
    assertThat(((StringLiteral) tree).value()).isEqualTo("a\uDCFFb");
    assertThat(Printer.print(tree)).isEqualTo("\"a\\xffb\"");
  }

  private static String string(String query) throws ParseException {
    return ((StringLiteral) Parser.parse(query)).value();
  }

  @Test
  void commentsAndBlanksAreSkipped() throws ParseException {
    assertThat(Printer.print(Parser.parse("sum # all\n(\tfoo{ # none\n a=\"1\" }\r\n) # end")))
        .isEqualTo("sum(foo{a=\"1\"})");
  }

  @Test
  void selectorKeepsAllMatchersAndItsName() throws ParseException {
    VectorSelector selector = (VectorSelector) Parser.parse("{a=\"1\",\"na.me\",b!~\"2.*\"}");
    assertThat(selector.metricName()).isEqualTo("na.me");
    assertThat(selector.matchers())
        .containsExactly(
            Matcher.equal("a", "1"),
            Matcher.equal(Labels.NAME, "na.me"),
            new Matcher(Matcher.Type.NOT_REGEX, "b", "2.*"));
  }

  @Test
  void spansCoverWhatWasWritten() throws ParseException {
    Binary sum = (Binary) Parser.parse(" rate(a:x[5m] offset 1m) + 2");
    assertThat(sum.span()).isEqualTo(new Span(1, 28));
    Expr.Call call = (Expr.Call) sum.left();
    assertThat(call.span()).isEqualTo(new Span(1, 24));
    assertThat(call.arguments().getFirst().span()).isEqualTo(new Span(6, 23));
    assertThat(sum.right().span()).isEqualTo(new Span(27, 28));
    assertThat(Parser.parse("{a=\"é\"} ").span()).isEqualTo(new Span(0, 8));
    assertThat(Parser.parse("sum(a) by (b)").span()).isEqualTo(new Span(0, 13));
  }

  @Test
  void setOperatorsMatchManyToMany() throws ParseException {
    Binary and = (Binary) Parser.parse("a and on(x) b");
    assertThat(and.matching())
        .isEqualTo(
            new Expr.VectorMatching(
                Cardinality.MANY_TO_MANY, true, List.of("x"), List.of(), null, null));
    assertThat(((Binary) Parser.parse("a + 1")).matching()).isNull();
  }

  @Test
  void atRoundsToMilliseconds() throws ParseException {
    VectorSelector selector = (VectorSelector) Parser.parse("a @ 1603774568.0005");
    assertThat(selector.shift().at()).isEqualTo(new At.Instant(1603774568001L));
    assertThat(((VectorSelector) Parser.parse("a @ -1.0005")).shift().at())
        .isEqualTo(new At.Instant(-1001));
  }

  @Test
  void infoTakesAnySelectorOfLabels() throws ParseException {
    assertThat(Printer.print(Parser.parse("info(a, {})"))).isEqualTo("info(a, {})");
  }

  @Test
  void durationsResolveForAQuery() throws ParseException {
    assertThat(range("foo[step() * 2 + 1m]").resolveMs(15_000, 0)).isEqualTo(90_000);
    assertThat(range("foo[max_of(range(), 5m)]").resolveMs(0, 3_600_000)).isEqualTo(3_600_000);
    assertThat(range("foo[1h30m % 1h]").resolveMs(0, 0)).isEqualTo(1_800_000);
    assertThat(range("foo[1001ms]").resolveMs(0, 0)).isEqualTo(1001);
    assertThatThrownBy(() -> range("foo[5m / step()]").resolveMs(0, 0))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("division by zero");
    assertThatThrownBy(() -> range("foo[10^step()]").resolveMs(600_000, 0))
        .hasMessageContaining("duration is out of range");
  }

  private static DurationExpr range(String query) throws ParseException {
    return ((Expr.MatrixSelector) Parser.parse(query)).range();
  }

  @Test
  void metricsParse() throws ParseException {
    assertThat(Parser.parseMetric("sum{a=\"1\",}"))
        .isEqualTo(Labels.of(Labels.NAME, "sum", "a", "1"));
    assertThat(Parser.parseMetric("{\"na.me\",\"la.bel\"=\"v\"}"))
        .isEqualTo(Labels.of(Labels.NAME, "na.me", "la.bel", "v"));
    assertThat(Parser.parseMetric("{}")).isEqualTo(Labels.EMPTY);
    assertThatThrownBy(() -> Parser.parseMetric("a{b=\"1\",b=\"2\"}"))
        .hasMessage("1:1: parse error: label name \"b\" is not unique");
    assertThatThrownBy(() -> Parser.parseMetric("a{b}"))
        .hasMessage("1:4: parse error: unexpected \"}\" in label set, expected \"=\"");
    assertThatThrownBy(() -> Parser.parseMetric("a{b=1}"))
        .hasMessage("1:5: parse error: unexpected character inside braces: '1'");
  }

  @Test
  void selectorsParseAlone() throws ParseException {
    assertThat(Parser.parseSelector("up{job=\"a\"}"))
        .containsExactly(Matcher.equal("job", "a"), Matcher.equal(Labels.NAME, "up"));
    assertThatThrownBy(() -> Parser.parseSelector("up[5m]"))
        .hasMessage("1:3: parse error: unexpected \"[\"");
    assertThatThrownBy(() -> Parser.parseSelector("1"))
        .hasMessage("1:1: parse error: unexpected number \"1\"");
  }

  @Test
  void experimentalPartsAreOnlyForThoseWhoAsk() {
    assertThat(ParserOptions.ofFeatures(ParserOptions.FEATURES)).isEqualTo(ParserOptions.ALL);
    assertThat(ParserOptions.ofFeatures(List.of("promql-duration-expr", "other")))
        .isEqualTo(new ParserOptions(false, true, false, false));
  }

  @Test
  void longQueriesPrintOverLines() throws ParseException {
    String query =
        "histogram_quantile(0.99, sum by (le) (rate(vllm:time_to_first_token_seconds_bucket"
            + "{model_name=\"m\"}[5m]))) / on (job) (max(vllm:num_requests_waiting) + 1)";
    assertThat(Printer.pretty(Parser.parse(query)))
        .isEqualTo(
            """
              histogram_quantile(
                0.99,
                sum by (le) (rate(vllm:time_to_first_token_seconds_bucket{model_name="m"}[5m]))
              )
            / on (job)
              (max(vllm:num_requests_waiting) + 1)\
            """);
  }
}
