package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryValue;
import org.junit.jupiter.api.Test;

class TemplateTest {
  private static final Target A = new Target("j", "a:1");
  private static final Target B = new Target("j", "b:1");

  private static final Template BLOCKS =
      new Template("sum by ($by) (max without (pid) ($label_value(e_info, blocks, size)))");
  private static final Template ADAPTERS = new Template("sum($name_count(e_adapters, running))");

  @Test
  void numbersInLabelsBecomeSelectors() {
    Known known =
        known(
            facts(A, "e_info", "blocks", "1234", "size", "16"),
            facts(B, "e_info", "blocks", "1000", "size", "16"));
    assertThat(BLOCKS.render(values(List.of("instance"), known)))
        .isEqualTo(
            "sum by (instance) (max without (pid) ("
                + "(e_info{job=\"j\",instance=\"b:1\",blocks=\"1000\",size=\"16\"} * 16000"
                + " or e_info{job=\"j\",instance=\"a:1\",blocks=\"1234\",size=\"16\"} * 19744)))");
  }

  @Test
  void targetsThatSayTheSameShareASelector() {
    Known known = known(facts(A, "e_info", "blocks", "7"), facts(B, "e_info", "blocks", "7"));
    assertThat(new Template("$label_value(e_info, blocks)").render(values(List.of(), known)))
        .isEqualTo("(e_info{job=\"j\",instance=~\"a:1|b:1\",blocks=\"7\"} * 7)");
  }

  @Test
  void labelsThatAreNoNumbersAreLeftOut() {
    Template template = new Template("$label_value(e_info, blocks)");
    Known known =
        known(facts(A, "e_info", "blocks", "None"), facts(B, "e_info", "blocks", "1.5e3"));
    assertThat(template.render(values(List.of(), known))).endsWith("blocks=\"1.5e3\"} * 1500)");
    for (String text : List.of("None", "NaN", "0x10", "1d", "", "1e999", "--1")) {
      TemplateCall.Missing missing = template.missing(known(facts(A, "e_info", "blocks", text)));
      assertThat(missing).as(text).isNotNull();
      assertThat(missing.reason()).isEqualTo("No number is in blocks of e_info.");
    }
  }

  @Test
  void tooManyNumbersAreNotAskedFor() {
    TargetFacts[] many =
        IntStream.range(0, 51)
            .mapToObj(i -> facts(A, "e_info", "blocks", String.valueOf(i)))
            .toArray(TargetFacts[]::new);
    TemplateCall.Missing missing =
        new Template("$label_value(e_info, blocks)").missing(known(many));
    assertThat(missing).isNotNull();
    assertThat(missing.reason())
        .isEqualTo("More than 50 values of blocks of e_info were seen, too many to ask.");
  }

  @Test
  void theLengthGrowsWithTheTargetsOnly() {
    List<TargetFacts> all = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Target target = new Target("j", "replica-" + i + ":8000");
      all.add(facts(target, "e_info", "blocks", String.valueOf(i % 50), "size", "16"));
    }
    assertThat(BLOCKS.render(values(List.of(), new Known(all, Map.of()))))
        .hasSizeLessThan(400 * 25 + 50 * 120);
  }

  @Test
  void namesAreCountedInTheNewestSeriesOnly() throws Exception {
    String page =
        """
        e_adapters{running="",waiting=""} 1789999000
        e_adapters{running="a, b,c",waiting=""} 1789999900
        e_adapters{running="a",waiting="b"} 1789999800
        """;
    assertThat(value(ADAPTERS, page)).containsExactly(3.0);
    assertThat(value(ADAPTERS, page.replace("89999000", "89999950"))).containsExactly(0.0);
    assertThat(value(ADAPTERS, page.replace("89999800", "89999950"))).containsExactly(1.0);
  }

  @Test
  void namesAreCountedHoweverManyListsThereWere() throws Exception {
    StringBuilder page = new StringBuilder();
    for (int names : new int[] {0, 1, 2, 3, 4, 5, 7, 8, 9, 21, 42, 63, 64, 65, 85, 127, 128, 129}) {
      String list =
          IntStream.range(0, names).mapToObj(i -> "a-" + i).collect(Collectors.joining(","));
      page.append("e_adapters{running=\"%s\"} %d\n".formatted(list, 1789999000 + names));
      assertThat(value(ADAPTERS, page.toString())).as(list).containsExactly((double) names);
    }
  }

  @Test
  void namesAreCountedAtLeast_ifThereAreVeryMany() throws Exception {
    String list = IntStream.range(0, 1000).mapToObj(i -> "a").collect(Collectors.joining(","));
    assertThat(value(ADAPTERS, "e_adapters{running=\"" + list + "\"} 1\n").getFirst())
        .isBetween(128.0, 1000.0);
  }

  @Test
  void numbersInLabelsEvaluate() throws Exception {
    String page = "e_info{blocks=\"1234\",size=\"16\"} 1\n";
    assertThat(value(BLOCKS, page)).containsExactly(19744.0);
  }

  @Test
  void valuesOfLabelsAreNoPlaceholders() throws Exception {
    String page = "e_adapters{running=\"$targets,$by,$1\\\\\"} 1789999000\n";
    assertThat(value(ADAPTERS, page)).containsExactly(3.0);
  }

  @Test
  void factsAreNumbers() {
    Template template = new Template("sum by ($by) (e_tokens{$scope}) / $fact(gpus)");
    TemplateCall.Missing missing = template.missing(known());
    assertThat(missing).isNotNull();
    assertThat(missing.why()).isEqualTo(Absence.FACT);
    assertThat(missing.fix()).isEqualTo("Set gpus under inferometer.deployments.");
    Known known =
        new Known(
            List.of(facts(A, "e_info"), facts(B, "e_info")),
            Known.told(Map.of("gpus", 16.0, "moon", 1.0)));
    assertThat(template.missing(known)).isNull();
    assertThat(template.render(values(List.of(), known))).endsWith(" / 16");
    assertThat(template.render(values(List.of("instance"), known)))
        .as("the GPUs of a replica")
        .endsWith(" / 8");
  }

  @Test
  void factsThatMakeNoSenseAreNotKnown() {
    assertThat(Known.told(Map.of("gpus", 0.0, "peak_flops", Double.NaN))).isEmpty();
  }

  @Test
  void callsThatAreNotThere() {
    refused("$fact(moon)", "expected a fact such as $fact(gpus), not $fact(moon)");
    refused("$label_value(e_info)", "expected names of a metric and a label, not");
    refused("$label_value(e_info, a-b)", "expected names of a metric and a label, not");
    refused("$name_count(e_info, a, b)", "expected one label, not");
    assertThatThrownBy(() -> new Template("$moon(a)").metricNames())
        .isInstanceOf(ParseException.class);
  }

  private static void refused(String text, String message) {
    assertThatThrownBy(() -> new Template(text).metricNames())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void metricsOfCallsAreRead() throws ParseException {
    assertThat(BLOCKS.metricNames()).containsExactly("e_info");
    assertThat(ADAPTERS.metricNames()).containsExactly("e_adapters");
    assertThat(new Template("e_a{$scope} * $fact(gpus)").metricNames()).containsExactly("e_a");
  }

  /** What a template comes to on one target's page. */
  private static List<Double> value(Template template, String page)
      throws QueryException, ParseException {
    Dump dump = Dump.of("page", page);
    TestWorld world = new TestWorld().add(dump, "j", "a:1");
    TargetFacts facts =
        TargetFacts.of(A, dump.samples().stream().map(Dump.Sample::labels).toList());
    String query = template.render(values(List.of(), known(facts)));
    Parser.parse(query);
    QueryValue value =
        Backend.queries(world).instant(new InstantQuery(query, TestWorld.NOW_MS)).value();
    return ((QueryValue.Vector) value)
        .elements().stream().map(QueryValue.Element::value).collect(Collectors.toList());
  }

  private static Template.Values values(List<String> by, Known known) {
    List<Matcher> targets = Target.matchers(List.of(A, B));
    return new Template.Values(targets, targets, by, 60_000, known);
  }

  private static Known known(TargetFacts... facts) {
    return new Known(List.of(facts), Map.of());
  }

  private static TargetFacts facts(Target target, String metric, String... labels) {
    return TargetFacts.of(target, List.of(Labels.of(labels).with(Labels.NAME, metric)));
  }
}
