package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.model.Labels;
import org.junit.jupiter.api.Test;

/** Queries whose parts are small and whose work or whose results aren't. */
class QueryBoundsTest {
  private static final long SECOND = 1_000_000_000;

  /** Each look at the clock takes a second. */
  private static QueryBench impatient(int seconds) {
    AtomicLong nanos = new AtomicLong();
    return new QueryBench(
        EngineOptions.DEFAULT.toBuilder().timeout(Duration.ofSeconds(seconds)).build(),
        () -> nanos.getAndAdd(SECOND));
  }

  private static QueryBench small(long samples) {
    return new QueryBench(EngineOptions.DEFAULT.toBuilder().maxSamples(samples).build(), () -> 0);
  }

  private static void load(QueryBench bench, int series) {
    for (int i = 0; i < series; i++) {
      bench.load(Labels.of(Labels.NAME, "m", "a", Integer.toString(i)), 1000, 1);
    }
  }

  @Test
  void overlappingWindows_endAtTheTimeout() {
    assertThatThrownBy(
            () -> impatient(30).range(0, 5_000_000, 1000, "stddev_over_time(vector(1)[20000s:1s])"))
        .hasMessageContaining("query timed out");
  }

  @Test
  void sorting_endsAtTheTimeout() {
    QueryBench bench = impatient(300);
    load(bench, 100);
    assertThatCode(() -> bench.instant(0, "m")).doesNotThrowAnyException();
    assertThatThrownBy(() -> bench.instant(0, "sort_by_label(m, \"a\")"))
        .hasMessageContaining("query timed out");
  }

  @Test
  void valueOfOneStep_isCountedBeforeItIsRepeated() {
    QueryBench bench = small(1_000_000);
    load(bench, 300);
    assertThatThrownBy(() -> bench.range(0, 10_000_000, 1000, "m @ 0"))
        .hasMessageContaining("query.max-samples = 1000000");
  }

  @Test
  void pairsThatChangeWithEachStep_areCountedAsTheyAreMade() {
    QueryBench bench = small(2_000_000);
    load(bench, 100);
    assertThatThrownBy(
            () ->
                bench.range(
                    0,
                    1_000_000,
                    1000,
                    "(m @ 0) * on() group_left(v) count_values(\"v\", vector(time()))"))
        .hasMessageContaining("query.max-samples = 2000000");
  }

  @Test
  void valuesThatAreCounted_areCountedAsTheyAreMade() {
    assertThatThrownBy(
            () -> small(2_000_000).range(0, 3_000_000, 1000, "count_values(\"v\", vector(time()))"))
        .hasMessageContaining("query.max-samples = 2000000");
  }

  @Test
  void rows_countAgainstWhatAllQueriesMayHold() {
    SampleBudget.Together together = new SampleBudget.Together(100);
    SampleBudget budget = new SampleBudget(1_000, together);
    budget.acquireRows(10);
    assertThatThrownBy(() -> budget.acquireRows(10))
        .isInstanceOf(Abort.class)
        .hasMessageContaining("together");
    budget.settleRows(0, 1);
    budget.close();
    SampleBudget later = new SampleBudget(1_000, together);
    later.acquire(100);
    later.close();
  }
}
