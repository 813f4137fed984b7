package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.inferometer.query.QueryException;
import org.inferometer.yaml.YamlException;
import org.junit.jupiter.api.Test;

/** Signals that follow from others. */
class FormulaTest {
  private static final String SIGNALS =
      """
        - {name: running, title: Running, layer: engine, unit: count, kind: gauge, meaning: M.}
        - {name: most, title: Most at once, layer: engine, unit: count, kind: gauge, meaning: M.,
           formula: "count by ($by) (up{$targets} == 1) * $fact(max_num_seqs)"}
        - {name: filled, title: F, layer: engine, unit: ratio, kind: share, meaning: M.,
           formula: "running / (most > 0)"}
        - {name: rest, title: R, layer: engine, unit: ratio, kind: share, meaning: M.,
           formula: "1 - filled"}
        - {name: spread, title: S, layer: engine, unit: count, kind: gauge, meaning: M.,
           formula: "max by ($by) (running{by='instance'}) / (avg by ($by) (running{by='instance'}) > 0)"}
        - {name: wait, title: Wait, layer: engine, unit: seconds, kind: quantile, quantiles: [0.5, 0.99],
           meaning: M.}
        - {name: jitter, title: J, layer: engine, unit: count, kind: gauge, meaning: M.,
           formula: "wait_p99 / (wait_p50 > 0)", mixes: Both are guesses.}
        - {name: users, title: Users, layer: engine, unit: count, kind: gauge, meaning: M.}
        - {name: each, title: E, layer: engine, unit: count, kind: gauge, meaning: M.,
           formula: "running / (users > 0)"}
      """;
  private static final String DIALECT =
      """
        - signal: running
          from:
            - {query: "sum by ($by) (e_running{$scope})", quality: exact, note: Without those that wait.}
        - signal: wait
          from:
            - {buckets: "sum by ($by, le) (rate(e_wait_bucket{$scope}[$window]))", quality: exact}
        - signal: users
          absent: E doesn't count them.
          fix: "--count-users"
          why: setting
          from:
            - {query: "sum by ($by) (e_users{$scope})", quality: proxy, note: Names in place of users.}
      """;
  private static final Catalogue CATALOGUE = TestCatalogue.of(SIGNALS, DIALECT);

  private final TestWorld world =
      new TestWorld().add(page("10"), "j", "a:1").add(page("30"), "j", "b:1");
  private Facts facts = (service, model) -> Map.of("max_num_seqs", 50.0);

  @Test
  void aFormulaIsOneQuery() throws QueryException {
    SignalResult result = ask("filled", List.of());
    assertThat(value(result)).isEqualTo(0.4);
    assertThat(result.quality()).isEqualTo(Quality.DERIVED);
    assertThat(result.reason()).isEqualTo("Without those that wait.");
    String targets = "job=\"j\",instance=~\"a:1|b:1\"";
    assertThat(result.query())
        .isEqualTo(
            "(sum by () (e_running{"
                + targets
                + ",model=\"m\"}))"
                + " / ((count by () (up{"
                + targets
                + "} == 1) * 50) > 0)");
  }

  @Test
  void formulasOfFormulas() throws QueryException {
    assertThat(value(ask("rest", List.of()))).isEqualTo(0.6);
  }

  @Test
  void aFormulaIsSplitLikeItsParts() throws QueryException {
    SignalResult result = ask("filled", List.of("instance"));
    assertThat(result.series())
        .extracting(series -> series.labels().get("instance") + " " + series.values()[0])
        .containsExactly("a:1 0.2", "b:1 0.6");
  }

  @Test
  void aPartCanBeSplitFurther() throws QueryException {
    assertThat(value(ask("spread", List.of()))).isEqualTo(1.5);
    assertThat(ask("spread", List.of("job")).series().getFirst().labels().get("job"))
        .isEqualTo("j");
    assertThat(ask("spread", List.of("instance")).series()).hasSize(2);
  }

  @Test
  void quantilesAreTakenInside() throws QueryException {
    SignalResult result = ask("jitter", List.of());
    assertThat(value(result)).isCloseTo(1.98, within(1e-9));
    assertThat(result.quality()).isEqualTo(Quality.ESTIMATED);
    assertThat(result.reason()).isEqualTo("Both are guesses.");
  }

  @Test
  void whatIsNotToldIsNamed() throws QueryException {
    facts = Facts.NONE;
    Service.AbsentSignal absent = absent("rest");
    assertThat(absent.why()).isEqualTo(Absence.FACT);
    assertThat(absent.reason())
        .isEqualTo(
            "It takes the number of requests that one engine runs at once at most, which has to be"
                + " told.");
    assertThat(absent.fix()).isEqualTo("Set max_num_seqs under inferometer.deployments.");
  }

  @Test
  void aPartThatIsMissingIsNamedWithItsFix() throws QueryException {
    assertThat(absent("each"))
        .isEqualTo(
            new Service.AbsentSignal(
                "each",
                Absence.SETTING,
                "It takes users: e_users isn't exposed. E doesn't count them.",
                "--count-users"));
  }

  @Test
  void theWorstPartTellsHowGoodItIs() throws QueryException {
    world.add(Dump.of("users", "e_users{model=\"m\"} 8\n"), "j", "c:1");
    SignalResult result = ask("each", List.of());
    assertThat(value(result)).isEqualTo(5);
    assertThat(result.quality()).isEqualTo(Quality.PROXY);
    assertThat(result.reason())
        .isEqualTo(
            "Without those that wait. From 2 of 3 replicas; the others lack it."
                + " Names in place of users. From 1 of 3 replicas; the others lack it.");
  }

  @Test
  void formulasThatLeadBackToThemselves() {
    refused(
        "1 - filled",
        "1 - spread",
        "formula: \"max by",
        "formula: \"rest * max by",
        "signals.yaml:8:15: the formula leads back to itself: rest -> spread -> rest");
  }

  @Test
  void unknownSignals() {
    refused(
        "1 - filled",
        "1 - filed",
        "signals.yaml:8:15: unknown signal \"filed\" in a formula, did you mean \"filled\"?");
    refused(
        "1 - filled",
        "1 - wait",
        "unknown signal \"wait\" in a formula, expected one of its quantiles such as wait_p50");
  }

  @Test
  void whatAFormulaCannotHave() {
    refused("1 - filled", "rate(filled[5m])", "expected signals without a range in a formula");
    refused("1 - filled", "filled offset 5m", "expected a signal without a shift in time");
    refused("1 - filled", "filled{a='b'}", "expected no matcher beside by=\"LABEL\"");
    refused("1 - filled", "1 - (filled", "signals.yaml:8:15: not PromQL: ");
    refused("1 - filled", "$fact(moon)", "signals.yaml:8:15: expected a fact such as");
  }

  @Test
  void formulasThatNestTooDeep() {
    StringBuilder signals = new StringBuilder(SIGNALS);
    String before = "rest";
    for (int i = 0; i < 6; i++) {
      signals.append(
          ("  - {name: n%d, title: N, layer: engine, unit: ratio, kind: share, meaning: M.,"
                  + " formula: 1 - %s}\n")
              .formatted(i, before));
      before = "n" + i;
    }
    assertThatThrownBy(() -> TestCatalogue.of(signals.toString(), DIALECT))
        .hasMessageContaining("formulas nest deeper than 6: n5 -> n4");
  }

  private static void refused(String... replacementsAndMessage) {
    String signals = SIGNALS;
    for (int i = 0; i + 1 < replacementsAndMessage.length; i += 2) {
      signals = signals.replace(replacementsAndMessage[i], replacementsAndMessage[i + 1]);
    }
    String changed = signals;
    assertThatThrownBy(() -> TestCatalogue.of(changed, DIALECT))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining(replacementsAndMessage[replacementsAndMessage.length - 1]);
  }

  private static Dump page(String running) {
    return Dump.of(
        "page",
        """
        e_running{model="m"} %s
        e_wait_bucket{model="m",le="1"} 50
        e_wait_bucket{model="m",le="2"} 100
        e_wait_bucket{model="m",le="+Inf"} 100
        """
            .formatted(running));
  }

  private Service.AbsentSignal absent(String signal) throws QueryException {
    return signals().services().services().getFirst().absent().stream()
        .filter(absent -> absent.signal().equals(signal))
        .findFirst()
        .orElseThrow();
  }

  private static double value(SignalResult result) {
    assertThat(result.series()).as(result.toString()).hasSize(1);
    return result.series().getFirst().values()[0];
  }

  private SignalResult ask(String signal, List<String> by) throws QueryException {
    SignalBatch.Request request = new SignalBatch.Request("e/m", List.of(signal), by);
    return signals().query(SignalBatch.at(TestWorld.NOW_MS, List.of(request))).results().getFirst();
  }

  private Signals signals() {
    return new Signals(
        CATALOGUE, Backend.queries(world), () -> TestWorld.NOW_MS, () -> 0, Goals.NONE, facts);
  }
}
