package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.inferometer.model.Labels;
import org.junit.jupiter.api.Test;

class StartTimesTest {
  private static final long SECOND = 1000;
  private static final Labels SERIES = Labels.of(Labels.NAME, "c_total");

  private final QueryBench bench =
      new QueryBench(EngineOptions.DEFAULT.toBuilder().startTimestamps(true).build(), () -> 0);

  private void add(long timeSeconds, long startSeconds, double value) {
    bench.series.add(SERIES, timeSeconds * SECOND, startSeconds * SECOND, value);
  }

  @Test
  void counterThatBeganAgainIsResetThoughItIsHigher() throws QueryException {
    add(10, 1, 5);
    add(20, 12, 8);
    assertThat(bench.instant(20 * SECOND, "resets(c_total[15s])")).containsExactly("{} 1.0");
    assertThat(bench.instant(20 * SECOND, "irate(c_total[15s])")).containsExactly("{} 0.8");
    assertThat(bench.instant(20 * SECOND, "idelta(c_total[15s])")).containsExactly("{} 3.0");
  }

  @Test
  void counterThatBeganInTheWindowBeganAtZero() throws QueryException {
    add(10, 5, 5);
    add(20, 5, 10);
    assertThat(bench.instant(20 * SECOND, "increase(c_total[20s])")).containsExactly("{} 10.0");
    assertThat(bench.instant(20 * SECOND, "delta(c_total[20s])")).containsExactly("{} 10.0");
    assertThat(bench.instant(20 * SECOND, "increase(c_total[14s])")).containsExactly("{} 7.0");
  }

  @Test
  void startThatIsNoneIsNotTaken() throws QueryException {
    add(10, 10, 5);
    add(20, 10, 8);
    add(30, 30, 9);
    add(40, 0, 10);
    assertThat(bench.instant(40 * SECOND, "resets(c_total[1m])")).containsExactly("{} 0.0");
  }

  @Test
  void overlapIsTold() throws QueryException {
    add(10, 1, 5);
    add(20, 5, 8);
    assertThat(bench.at(20 * SECOND, "rate(c_total[1m])").warnings())
        .containsExactly(
            "PromQL warning: sample has start time that overlaps with previous sample timestamp"
                + " for metric \"c_total\" (1:6)");
  }

  @Test
  void startIsToldOfABareSelector() throws QueryException {
    add(10, 3, 5);
    assertThat(bench.instant(10 * SECOND, "start_timestamp((c_total))")).containsExactly("{} 3.0");
    assertThat(bench.instant(10 * SECOND, "start_timestamp(c_total + 0)")).isEmpty();
  }

  @Test
  void withoutTheFeatureStartsDoNotCount() throws QueryException {
    QueryBench without = new QueryBench();
    without.series.add(SERIES, 10 * SECOND, SECOND, 5);
    without.series.add(SERIES, 20 * SECOND, 12 * SECOND, 8);
    assertThat(without.instant(20 * SECOND, "resets(c_total[15s])")).containsExactly("{} 0.0");
    assertThatThrownBy(() -> without.instant(20 * SECOND, "start_timestamp(c_total)"))
        .hasMessage("start_timestamp() needs the feature use-start-timestamps");
  }
}
