package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryValue.Element;
import org.inferometer.query.QueryValue.MatrixSeries;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramRangeTest {
  private static final long SECOND = 1000;
  private static final Labels FLOATS = Labels.of(Labels.NAME, "floats_total");
  private static final Labels HISTOGRAMS = Labels.of(Labels.NAME, "histograms");

  private final QueryBench bench = new QueryBench();

  /** All of its numbers are the value. */
  private static NativeHistogram histogram(double value) {
    return NativeHistogram.exponential(0, value, value, 0, 0, Buckets.from(1, value), Buckets.NONE);
  }

  private static NativeHistogram custom(double value, double... bounds) {
    return NativeHistogram.custom(value, value, Buckets.from(0, value), bounds);
  }

  /**
   * A histogram all of whose numbers are those of a float series must come to what the float comes
   * to, number by number.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rate(%s[41s])",
        "increase(%s[60s])",
        "increase(%s[2m])",
        "irate(%s[50s])",
        "delta(%s[1m])",
        "idelta(%s[35s])",
        "sum_over_time(%s[1m])",
        "avg_over_time(%s[1m])",
        "last_over_time(%s[1m])",
        "first_over_time(%s[1m])",
        "increase(%s[40s] anchored)",
        "rate(%s[1m] anchored)",
        "delta(%s[1m] anchored)",
        "increase(%s[40s] smoothed)",
        "rate(%s[13s] smoothed)",
        "delta(%s[1m] smoothed)",
        "%s smoothed",
        "rate(%s[2m:7s])",
        "sum_over_time(%s[30s:5s] offset 10s)",
        "rate(%s[90s] @ 200)"
      })
  void eachNumberComesToWhatAFloatComesTo(String query) throws QueryException {
    SplittableRandom random = new SplittableRandom(query.hashCode());
    for (int round = 0; round < 15; round++) {
      bench.series.clear();
      boolean gauge = query.contains("delta") || query.equals("%s smoothed");
      load(random, gauge);
      MatrixSeries floats = onlySeries(query.formatted("floats_total"));
      MatrixSeries histograms = onlySeries(query.formatted("histograms"));
      assertThat(histograms.timestampsMs()).containsExactly(floats.timestampsMs());
      for (int i = 0; i < floats.values().length; i++) {
        NativeHistogram found = histograms.histogram(i);
        assertThat(found).isNotNull();
        double expected = floats.values()[i];
        double close = 1e-9 * Math.max(1, Math.abs(expected));
        assertThat(found.count()).isCloseTo(expected, within(close));
        assertThat(found.sum()).isCloseTo(expected, within(close));
        assertThat(found.positive().countAt(1)).isCloseTo(expected, within(close));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resets(%s[1m])",
        "changes(%s[1m])",
        "count_over_time(%s[1m])",
        "present_over_time(%s[20s])",
        "ts_of_first_over_time(%s[1m])",
        "ts_of_last_over_time(%s[1m])",
        "resets(%s[1m] anchored)",
        "changes(%s[1m] anchored)",
        "resets(%s[2m:7s])"
      })
  void countsAndTimesAreThoseOfFloats(String query) throws QueryException {
    SplittableRandom random = new SplittableRandom(query.hashCode());
    for (int round = 0; round < 15; round++) {
      bench.series.clear();
      load(random, false);
      MatrixSeries floats = onlySeries(query.formatted("floats_total"));
      MatrixSeries histograms = onlySeries(query.formatted("histograms"));
      assertThat(histograms.timestampsMs()).containsExactly(floats.timestampsMs());
      assertThat(histograms.values()).containsExactly(floats.values());
    }
  }

  /** A counter with resets and gaps, or a gauge, as floats and as histograms. */
  private void load(SplittableRandom random, boolean gauge) {
    double value = random.nextInt(20);
    for (long time = 0; time < 400 * SECOND; time += 10 * SECOND) {
      if (random.nextInt(8) == 0) {
        continue;
      }
      long at = time + random.nextInt(3) * SECOND;
      value = random.nextInt(6) == 0 ? random.nextInt(4) : value + random.nextInt(5);
      bench.series.add(FLOATS, at, value);
      NativeHistogram histogram = histogram(value);
      bench.series.add(HISTOGRAMS, at, gauge ? histogram.withHint(ResetHint.GAUGE) : histogram);
    }
  }

  private MatrixSeries onlySeries(String query) throws QueryException {
    QueryResult result =
        bench.service().range(new QueryService.RangeQuery(query, 0, 420 * SECOND, 9 * SECOND));
    List<MatrixSeries> series = ((QueryValue.Matrix) result.value()).series();
    assertThat(series).as(query).hasSize(1);
    return series.getFirst();
  }

  private void load(long stepMs, NativeHistogram... histograms) {
    for (int i = 0; i < histograms.length; i++) {
      bench.series.add(HISTOGRAMS, i * stepMs, histograms[i]);
    }
  }

  private NativeHistogram only(QueryResult result) {
    List<Element> elements = ((QueryValue.Vector) result.value()).elements();
    assertThat(elements).hasSize(1);
    NativeHistogram histogram = elements.getFirst().histogram();
    assertThat(histogram).isNotNull();
    return histogram;
  }

  @Test
  void floatsAndHistogramsInOneWindowHaveNoRate() throws QueryException {
    load(10 * SECOND, histogram(1), histogram(2));
    bench.series.add(HISTOGRAMS, 20 * SECOND, 3);
    bench.series.add(HISTOGRAMS, 30 * SECOND, 4);
    for (String function : List.of("rate", "increase", "delta", "sum_over_time", "avg_over_time")) {
      QueryResult mixed = bench.at(30 * SECOND, function + "(histograms[1m])");
      assertThat(((QueryValue.Vector) mixed.value()).elements()).isEmpty();
      assertThat(mixed.warnings())
          .containsExactly(
              "PromQL warning: encountered a mix of histograms and floats for metric name"
                  + " \"histograms\" (1:%d)".formatted(function.length() + 2));
    }
    assertThat(bench.instant(30 * SECOND, "sum_over_time(histograms[15s])"))
        .containsExactly("{} 7.0");
    assertThat(only(bench.at(10 * SECOND, "sum_over_time(histograms[15s])")).count()).isEqualTo(3);
    assertThat(bench.instant(30 * SECOND, "count_over_time(histograms[1m])"))
        .containsExactly("{} 4.0");
    assertThat(bench.instant(30 * SECOND, "changes(histograms[1m])")).containsExactly("{} 3.0");
    assertThat(bench.instant(30 * SECOND, "resets(histograms[1m])")).containsExactly("{} 1.0");
  }

  @Test
  void functionsOfFloatsLeaveHistogramsOut() throws QueryException {
    bench.series.add(HISTOGRAMS, 0, 3);
    bench.series.add(HISTOGRAMS, 10 * SECOND, 5);
    bench.series.add(HISTOGRAMS, 20 * SECOND, histogram(9));
    String info =
        "PromQL info: ignored histograms in a range containing both floats and histograms for"
            + " metric name \"histograms\" (1:15)";
    QueryResult max = bench.at(20 * SECOND, "max_over_time(histograms[1m])");
    assertThat(max.infos()).containsExactly(info);
    assertThat(bench.instant(20 * SECOND, "max_over_time(histograms[1m])"))
        .containsExactly("{} 5.0");
    assertThat(bench.instant(20 * SECOND, "quantile_over_time(0.5, histograms[1m])"))
        .containsExactly("{} 4.0");
    assertThat(bench.instant(20 * SECOND, "deriv(histograms[1m])")).containsExactly("{} 0.2");
    QueryResult onlyHistograms = bench.at(20 * SECOND, "max_over_time(histograms[5s])");
    assertThat(((QueryValue.Vector) onlyHistograms.value()).elements()).isEmpty();
    assertThat(onlyHistograms.infos()).isEmpty();
  }

  @Test
  void coarsestSchemaOfTheWindowIsTheResults() throws QueryException {
    NativeHistogram fine =
        NativeHistogram.exponential(1, 4, 4, 0, 0, Buckets.from(1, 1, 3), Buckets.NONE);
    NativeHistogram coarse =
        NativeHistogram.exponential(0, 9, 9, 0, 0, Buckets.from(1, 9), Buckets.NONE);
    load(10 * SECOND, fine, coarse);
    NativeHistogram increase = only(bench.at(15 * SECOND, "increase(histograms[20s] anchored)"));
    assertThat(increase.schema()).isZero();
    assertThat(increase.positive().countAt(1)).isEqualTo(5);
    assertThat(increase.resetHint()).isEqualTo(ResetHint.GAUGE);
  }

  @Test
  void layoutOfASampleThatAResetEndsDoesNotMatter() throws QueryException {
    load(10 * SECOND, custom(7, 5), histogram(2), histogram(5));
    QueryResult result = bench.at(20 * SECOND, "increase(histograms[30s])");
    assertThat(result.warnings()).isEmpty();
    assertThat(only(result).schema()).isZero();
    load(10 * SECOND, histogram(2), custom(7, 5), histogram(5));
    QueryResult mixed = bench.at(20 * SECOND, "increase(histograms[30s])");
    assertThat(((QueryValue.Vector) mixed.value()).elements()).isEmpty();
    assertThat(mixed.warnings())
        .containsExactly(
            "PromQL warning: vector contains a mix of histograms with exponential and custom"
                + " buckets schemas for metric name \"histograms\" (1:10)");
  }

  @Test
  void wrongKindOfHistogramIsTold() throws QueryException {
    load(10 * SECOND, histogram(1), histogram(2).withHint(ResetHint.GAUGE), histogram(3));
    assertThat(bench.at(20 * SECOND, "rate(histograms[30s])").warnings())
        .containsExactly(
            "PromQL warning: this native histogram metric is not a counter: \"histograms\" (1:6)");
    assertThat(bench.at(20 * SECOND, "delta(histograms[30s])").warnings())
        .containsExactly(
            "PromQL warning: this native histogram metric is not a gauge: \"histograms\" (1:7)");
    assertThat(bench.at(20 * SECOND, "rate(histograms[30s])").infos()).isEmpty();
  }

  @Test
  void pointsOfASubqueryDoNotKnowOfResets() throws QueryException {
    load(10 * SECOND, histogram(5), histogram(2).withHint(ResetHint.RESET), histogram(3));
    assertThat(bench.instant(25 * SECOND, "resets(histograms[26s:1s])")).containsExactly("{} 1.0");
  }
}
