package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

/** Quotients are sound only if both sides count the same, or if it is said why they are. */
class PopulationsTest {
  private static final String SIGNALS =
      """
        - {name: finished, title: Finished, layer: engine, unit: count, kind: gauge, meaning: M.}
        - {name: started, title: Started, layer: engine, unit: count, kind: gauge, meaning: M.}
        - {name: share, title: Share, layer: engine, unit: ratio, kind: gauge, meaning: M.}
      """;
  private static final String FORMULA =
      """
        - {name: progress, title: P, layer: engine, unit: ratio, kind: gauge, meaning: M.,
           formula: "finished / (started > 0)"}
      """;
  private static final String DIALECT =
      """
        - signal: finished
          from:
            - {query: "sum by ($by) (e_finished_total{$scope})", quality: exact}
        - signal: started
          from:
            - {query: "sum by ($by) (e_started_total{$scope})", quality: exact}
      """;

  private static String share(String query, String more) {
    return DIALECT
        + """
            - signal: share
              from:
                - {query: "%s", quality: derived%s}
          """
            .formatted(query, more);
  }

  @Test
  void aQuotientOfUnlikeRequests() {
    String query = "sum(e_finished_total{$scope}) / (sum(e_started_total{$scope}) > 0)";
    assertThatThrownBy(() -> TestCatalogue.of(SIGNALS, share(query, "")))
        .hasMessageContaining(
            "e.yaml:11:17: the query divides requests that ended in any way by requests that"
                + " arrived; expected \"mixes\" to say why that is sound");
    assertThat(TestCatalogue.of(SIGNALS, share(query, ", mixes: Over minutes they agree.")))
        .isNotNull();
  }

  @Test
  void aQuotientWithinAnExpression() {
    String query = "1 - max(e_latency_sum{$scope} / e_finished_total{$scope})";
    assertThatThrownBy(() -> TestCatalogue.of(SIGNALS, share(query, "")))
        .hasMessageContaining("divides requests that ended with an answer by requests that ended");
  }

  @Test
  void aShareOfThoseThatEnded() {
    String failed = "e_failed_total{$scope} / e_finished_total{$scope}";
    assertThat(TestCatalogue.of(SIGNALS, share(failed, ""))).isNotNull();
    String parts = "e_failed_total{$scope} / (e_failed_total{$scope} + e_latency_count{$scope})";
    assertThat(TestCatalogue.of(SIGNALS, share(parts, ""))).isNotNull();
    String arrived = "e_failed_total{$scope} / e_started_total{$scope}";
    assertThatThrownBy(() -> TestCatalogue.of(SIGNALS, share(arrived, "")))
        .hasMessageContaining("divides requests that failed by requests that arrived");
  }

  @Test
  void whatIsNotKnownIsNotChecked() {
    String query = "e_running{$scope} / e_started_total{$scope}";
    assertThat(TestCatalogue.of(SIGNALS, share(query, ""))).isNotNull();
  }

  @Test
  void whatAnAlternativeCountsFollowsFromItsFamilies() {
    Dialect dialect = TestCatalogue.of(SIGNALS, DIALECT).dialects().getFirst();
    assertThat(
            Objects.requireNonNull(dialect.mappings().get("finished"))
                .alternatives()
                .getFirst()
                .counts())
        .isEqualTo(Population.FINISHED);
  }

  @Test
  void aFormulaThatNoDialectMakesSound() {
    assertThatThrownBy(() -> TestCatalogue.of(SIGNALS + FORMULA, DIALECT))
        .hasMessageContaining("signals.yaml:6:15: in every dialect the formula mixes what can't")
        .hasMessageContaining(
            "in e: Not a sound quotient: finished counts requests that ended in any way, started"
                + " counts requests that arrived.");
    assertThat(
            TestCatalogue.of(
                SIGNALS + FORMULA.replace("\"}", "\", mixes: Over minutes they agree.}"), DIALECT))
        .isNotNull();
  }

  @Test
  void aFormulaThatThisServiceMakesUnsound() throws QueryException {
    String twoWays =
        DIALECT.replace(
            "(e_finished_total{$scope})\", quality: exact}",
            "(e_finished_total{$scope})\", quality: exact}\n"
                + "      - {query: \"sum by ($by) (e_users{$scope})\", quality: proxy, counts: arrived}");
    Catalogue catalogue = TestCatalogue.of(SIGNALS + FORMULA, twoWays);
    SignalResult unsound =
        ask(catalogue, "e_finished_total{model=\"m\"} 3\ne_started_total{model=\"m\"} 4\n");
    assertThat(unsound.quality()).isEqualTo(Quality.ABSENT);
    assertThat(unsound.reason()).startsWith("Not a sound quotient: finished counts requests");
    SignalResult sound = ask(catalogue, "e_users{model=\"m\"} 3\ne_started_total{model=\"m\"} 4\n");
    assertThat(sound.series().getFirst().values()).containsExactly(0.75);
    assertThat(sound.counts()).isEqualTo(Population.ARRIVED);
  }

  private static SignalResult ask(Catalogue catalogue, String page) throws QueryException {
    TestWorld world = new TestWorld().add(Dump.of("page", page), "j", "a:1");
    return TestCatalogue.signals(catalogue, world, Goals.NONE, Facts.NONE)
        .query(TestCatalogue.batch("progress"))
        .results()
        .getFirst();
  }
}
