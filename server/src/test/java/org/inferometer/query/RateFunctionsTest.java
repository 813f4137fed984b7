package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.model.Labels;
import org.junit.jupiter.api.Test;

class RateFunctionsTest {
  private static final long SECOND = 1000;

  @Test
  void edgesCloseToSamplesAreReached() throws QueryException {
    QueryBench bench = new QueryBench().load("c_total", 10 * SECOND, 100, 110, 120, 130);
    // 10 s, 20 s and 30 s lie in the window; both edges are half an interval away.
    assertThat(bench.instant(35 * SECOND, "increase(c_total[30s])")).containsExactly("{} 30.0");
    assertThat(bench.instant(35 * SECOND, "rate(c_total[30s])")).containsExactly("{} 1.0");
  }

  @Test
  void edgesFarFromSamplesAreApproachedByHalfAnInterval() throws QueryException {
    QueryBench bench = new QueryBench().load("c_total", 10 * SECOND, 100, 110, 120);
    assertThat(bench.instant(60 * SECOND, "increase(c_total[100s])")).containsExactly("{} 30.0");
  }

  @Test
  void counterIsNotExtrapolatedBelowZero() throws QueryException {
    QueryBench bench = new QueryBench().load("c_total", 10 * SECOND, 1, 11, 21);
    assertThat(bench.instant(20 * SECOND, "increase(c_total[100s])")).containsExactly("{} 21.0");
    assertThat(bench.instant(20 * SECOND, "delta(c_total[100s])")).containsExactly("{} 25.0");
  }

  @Test
  void oneSampleHasNoRate() throws QueryException {
    QueryBench bench = new QueryBench().load("c_total", 10 * SECOND, 1, 2);
    assertThat(bench.instant(10 * SECOND, "rate(c_total[10s])")).isEmpty();
  }

  @Test
  void resetsAddWhatWasLost() throws QueryException {
    QueryBench bench = new QueryBench().load("c_total", 10 * SECOND, 5, 10, 3, 3, 1);
    assertThat(bench.instant(40 * SECOND, "increase(c_total[50s] anchored)"))
        .containsExactly("{} 9.0");
    assertThat(bench.instant(40 * SECOND, "resets(c_total[50s])")).containsExactly("{} 2.0");
    assertThat(bench.instant(40 * SECOND, "irate(c_total[50s])")).containsExactly("{} 0.1");
  }

  @Test
  void nameThatIsNoCountersGetsAnInfoWithItsPlace() throws QueryException {
    QueryBench bench = new QueryBench().load("gauge", 10 * SECOND, 1, 2).load("c_sum", 10, 1, 2);
    String text =
        "PromQL info: metric might not be a counter, name does not end in"
            + " _total/_sum/_count/_bucket: \"gauge\" (%s)";
    assertThat(bench.at(10 * SECOND, "rate(gauge[1m])").infos())
        .containsExactly(text.formatted("1:6"));
    assertThat(bench.at(10 * SECOND, "1 +\n increase(gauge[1m])").infos())
        .containsExactly(text.formatted("2:11"));
    assertThat(bench.at(10 * SECOND, "rate(c_sum[1m])").infos()).isEmpty();
    assertThat(bench.at(10 * SECOND, "rate(gauge[1s])").infos()).isEmpty();
  }

  @Test
  void annotationsBeyondTenAreCounted() throws QueryException {
    QueryBench bench = new QueryBench();
    for (int i = 0; i < 13; i++) {
      bench.load(Labels.of(Labels.NAME, "gauge" + i, "i", "" + i), 10 * SECOND, 1, 2);
    }
    List<String> infos = bench.at(10 * SECOND, "rate({__name__=~\"gauge.*\"}[1m])").infos();
    assertThat(infos).hasSize(11);
    assertThat(infos.getLast()).isEqualTo("3 more info annotations omitted");
  }
}
