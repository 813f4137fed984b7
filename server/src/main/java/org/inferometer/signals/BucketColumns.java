package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * The cumulative buckets of one classic histogram over time.
 *
 * @param labels but for the bucket's edge
 * @param edges ascending; an edge may come twice
 * @param counts one column an edge, NaN where a bucket isn't there
 */
@SuppressWarnings("ArrayRecordComponent") // columns that are read once and never compared
record BucketColumns(Labels labels, double[] edges, List<double[]> counts) {
  static final String EDGE = "le";

  BucketColumns {
    counts = List.copyOf(counts);
  }

  /** One for each label set but for the bucket's edge, sorted. */
  static List<BucketColumns> of(List<ColumnQueries.Column> columns) {
    Map<Labels, Map<Double, List<double[]>>> histograms = new TreeMap<>();
    for (ColumnQueries.Column column : columns) {
      Double edge = edge(column.labels().get(EDGE));
      if (edge != null) {
        histograms
            .computeIfAbsent(column.labels().without(EDGE), labels -> new TreeMap<>())
            .computeIfAbsent(edge, e -> new ArrayList<>())
            .add(column.values());
      }
    }
    List<BucketColumns> all = new ArrayList<>();
    histograms.forEach((labels, buckets) -> all.add(of(labels, buckets)));
    return all;
  }

  private static BucketColumns of(Labels labels, Map<Double, List<double[]>> buckets) {
    List<Double> edges = new ArrayList<>();
    List<double[]> counts = new ArrayList<>();
    buckets.forEach(
        (edge, columns) -> {
          for (double[] column : columns) {
            edges.add(edge);
            counts.add(column);
          }
        });
    return new BucketColumns(
        labels, edges.stream().mapToDouble(Double::doubleValue).toArray(), counts);
  }

  private static @Nullable Double edge(String le) {
    try {
      return le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
    } catch (NumberFormatException e) {
      return null; // no bucket; PromQL leaves it out as well
    }
  }

  /** How many times there are. */
  int times() {
    return counts.getFirst().length;
  }

  /** The buckets at a time. */
  double[] at(int time) {
    return counts.stream().mapToDouble(column -> column[time]).toArray();
  }

  /**
   * One time in so many may have counts that fall without a word: just after a start each bucket's
   * rate is extrapolated from another first sample.
   */
  private static final int LEVELLED_EVERY = 10;

  /** The quantile at every time, with what there is to say about it. */
  SignalSeries quantile(double quantile, long windowMs, Set<BucketQuantile.Remark> remarks) {
    int n = times();
    double[] values = new double[n];
    double[] low = new double[n];
    double[] high = new double[n];
    double[] observed = new double[n];
    int told = 0;
    int levelled = 0;
    for (int i = 0; i < n; i++) {
      BucketQuantile.Estimate estimate = BucketQuantile.of(quantile, edges, at(i));
      values[i] = estimate.value();
      low[i] = estimate.low();
      high[i] = estimate.high();
      observed[i] = estimate.count() * windowMs / 1000.0;
      told += estimate.remark() == BucketQuantile.Remark.EMPTY ? 0 : 1;
      if (estimate.remark() == BucketQuantile.Remark.LEVELLED) {
        levelled++;
      } else {
        remarks.add(estimate.remark());
      }
    }
    if (levelled > 0 && levelled * LEVELLED_EVERY >= told) {
      remarks.add(BucketQuantile.Remark.LEVELLED);
    }
    return new SignalSeries(labels, values, low, high, observed);
  }

  /** The rate in each bucket alone, one series an edge, from the lowest up. */
  List<SignalSeries> each() {
    List<SignalSeries> series = new ArrayList<>();
    double[] below = new double[times()];
    int next = 0;
    while (next < edges.length) {
      double edge = edges[next];
      double[] upTo = new double[times()];
      Arrays.fill(upTo, Double.NaN);
      for (; next < edges.length && edges[next] == edge; next++) {
        add(upTo, counts.get(next));
      }
      series.add(
          SignalSeries.of(labels.with(EDGE, FloatFormat.plain(edge)), difference(upTo, below)));
    }
    return series;
  }

  private static void add(double[] sum, double[] column) {
    for (int i = 0; i < sum.length; i++) {
      if (!Double.isNaN(column[i])) {
        sum[i] = Double.isNaN(sum[i]) ? column[i] : sum[i] + column[i];
      }
    }
  }

  /** What is above the buckets below, which then are up to here; a fall counts as nothing. */
  private static double[] difference(double[] upTo, double[] below) {
    double[] difference = new double[upTo.length];
    for (int i = 0; i < upTo.length; i++) {
      difference[i] = Double.isNaN(upTo[i]) ? Double.NaN : Math.max(0, upTo[i] - below[i]);
      below[i] = Double.isNaN(upTo[i]) ? below[i] : Math.max(below[i], upTo[i]);
    }
    return difference;
  }
}
