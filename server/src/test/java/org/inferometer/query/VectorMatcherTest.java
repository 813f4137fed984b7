package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.inferometer.model.Labels;
import org.junit.jupiter.api.Test;

class VectorMatcherTest {
  private static final String MANY_TO_ONE =
      "multiple matches for labels: many-to-one matching must be explicit (group_left/group_right)";

  private final QueryBench bench =
      new QueryBench()
          .load(Labels.of(Labels.NAME, "m", "a", "1", "b", "1"), 1000, 10)
          .load(Labels.of(Labels.NAME, "m", "a", "1", "b", "2"), 1000, 20)
          .load(Labels.of(Labels.NAME, "one", "a", "1", "c", "x"), 1000, 2)
          .load(Labels.of(Labels.NAME, "other", "a", "2"), 1000, 3);

  @Test
  void duplicateOnTheOneSideNamesBothSeries() {
    assertThatThrownBy(() -> bench.instant(0, "one * on (a) m"))
        .hasMessage(
            "found duplicate series for the match group {a=\"1\"} on the right hand-side of the"
                + " operation: [{__name__=\"m\", a=\"1\", b=\"2\"}, {__name__=\"m\", a=\"1\", b=\"1\"}];"
                + "many-to-many matching not allowed: matching labels must be unique on one side");
    assertThatThrownBy(() -> bench.instant(0, "m * on (a) group_right one"))
        .hasMessageContaining("on the left hand-side");
  }

  @Test
  void duplicateOnTheOneSideIsAnErrorEvenIfUnmatched() throws QueryException {
    assertThatThrownBy(() -> bench.instant(0, "other * on (a) m"))
        .hasMessageStartingWith("found duplicate series");
    assertThat(bench.instant(0, "nothing * on (a) m")).isEmpty();
  }

  @Test
  void duplicateOnTheManySideIsAnErrorOnlyIfMatched() throws QueryException {
    assertThatThrownBy(() -> bench.instant(0, "m * on (a) one")).hasMessage(MANY_TO_ONE);
    assertThat(bench.instant(0, "m * on (a) other")).isEmpty();
  }

  @Test
  void conflictCountsBeforeTheComparisonFilters() {
    assertThatThrownBy(() -> bench.instant(0, "m > on (a) one * 1000")).hasMessage(MANY_TO_ONE);
  }

  @Test
  void groupedResultsMustDiffer() {
    // The label b, which tells the many apart, is taken from the one side, which has none.
    assertThatThrownBy(() -> bench.instant(0, "m * on (a) group_left (b) one"))
        .hasMessage("multiple matches for labels: grouping labels must ensure unique matches");
  }

  @Test
  void groupLeftCopiesLabelsFromTheOneSide() throws QueryException {
    assertThat(bench.instant(0, "m * on (a) group_left (c) one"))
        .containsExactly("{a=\"1\", b=\"1\", c=\"x\"} 20.0", "{a=\"1\", b=\"2\", c=\"x\"} 40.0");
  }

  @Test
  void rowsThatAreNeverThereTogetherDoNotConflict() throws QueryException {
    QueryBench gaps =
        new QueryBench()
            .load(Labels.of(Labels.NAME, "l", "a", "1"), 600_000, 1, 2)
            .load(Labels.of(Labels.NAME, "r", "a", "1", "b", "1"), 600_000, 10);
    gaps.series.add(Labels.of(Labels.NAME, "r", "a", "1", "b", "2"), 600_000, 100);
    assertThat(gaps.range(0, 600_000, 600_000, "l * on (a) r"))
        .containsExactly("{a=\"1\"} 10.0@0 200.0@600000");
    assertThat(gaps.range(0, 600_000, 600_000, "l * on (a) group_left (b) r"))
        .containsExactly("{a=\"1\", b=\"1\"} 10.0@0", "{a=\"1\", b=\"2\"} 200.0@600000");
  }

  @Test
  void filtersKeepTheLeftValueAndName() throws QueryException {
    assertThat(bench.instant(0, "one < ignoring (x) one * 2"))
        .containsExactly("one{a=\"1\", c=\"x\"} 2.0");
    assertThat(bench.instant(0, "5 > one")).containsExactly("one{a=\"1\", c=\"x\"} 2.0");
    assertThat(bench.instant(0, "one > bool 1")).containsExactly("{a=\"1\", c=\"x\"} 1.0");
  }

  @Test
  void powersFollowGo() throws QueryException {
    assertThat(bench.instant(0, "1 ^ NaN")).containsExactly("1.0");
    assertThat(bench.instant(0, "(-1) ^ Inf")).containsExactly("1.0");
    assertThat(bench.instant(0, "-7 % 3")).containsExactly("-1.0");
  }
}
