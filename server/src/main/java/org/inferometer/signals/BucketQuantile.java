package org.inferometer.signals;

import java.util.Arrays;

/**
 * A quantile of a classic histogram, with the edges of the bucket in which the true one lies. The
 * value is that of PromQL's histogram_quantile: linear within the bucket, the last finite edge if
 * it falls beyond that, and NaN without a bucket up to infinity.
 */
final class BucketQuantile {
  /** Counts that differ by less than this share are taken as equal. */
  private static final double TOLERANCE = 1e-12;

  private BucketQuantile() {}

  /**
   * @param low the true quantile is above it; NaN if there is none, or no bound
   * @param high the true quantile is at most it; infinite beyond the last finite edge
   * @param count how many observations there are; NaN if the buckets don't say
   */
  record Estimate(double value, double low, double high, double count, Remark remark) {}

  /** What there is to say about an estimate. */
  enum Remark {
    NONE,
    /** Nothing was observed. */
    EMPTY,
    /** The bucket up to infinity is missing: the histogram was cut. */
    TRUNCATED,
    /** All that was observed lies in the first bucket. */
    IN_FIRST_BUCKET,
    /** It lies beyond the last finite edge. */
    BEYOND_LAST_EDGE,
    /** Counts fell from a bucket to the next and were levelled, as when replicas differ in them. */
    LEVELLED
  }

  private static Estimate none(Remark remark) {
    double count = remark == Remark.EMPTY ? 0 : Double.NaN;
    return new Estimate(Double.NaN, Double.NaN, Double.NaN, count, remark);
  }

  /**
   * The quantile of buckets in ascending order of their upper edges.
   *
   * @param quantile between 0 and 1
   * @param counts cumulative, NaN for a bucket that isn't there
   */
  static Estimate of(double quantile, double[] edges, double[] counts) {
    double[] upper = new double[edges.length];
    double[] count = new double[edges.length];
    int n = 0;
    for (int i = 0; i < edges.length; i++) {
      if (Double.isNaN(counts[i])) {
        continue;
      }
      if (n > 0 && upper[n - 1] == edges[i]) {
        count[n - 1] += counts[i];
        continue;
      }
      upper[n] = edges[i];
      count[n++] = counts[i];
    }
    if (n == 0) {
      return none(Remark.EMPTY);
    }
    if (n < 2 || upper[n - 1] != Double.POSITIVE_INFINITY) {
      return none(Remark.TRUNCATED);
    }
    boolean levelled = level(count, n);
    if (!(count[n - 1] > 0)) {
      return none(Remark.EMPTY);
    }
    return locate(quantile, Arrays.copyOf(upper, n), count, levelled);
  }

  /** Makes counts never fall; tells whether more than rounding had to be mended. */
  private static boolean level(double[] count, int n) {
    boolean levelled = false;
    for (int i = 1; i < n; i++) {
      double before = count[i - 1];
      double difference = Math.abs(before - count[i]);
      if (difference == 0) {
        continue;
      }
      boolean rounding = difference / (Math.abs(before) + Math.abs(count[i])) < TOLERANCE;
      if (rounding) {
        count[i] = before;
      } else if (count[i] < before) {
        count[i] = before;
        levelled = true;
      }
    }
    return levelled;
  }

  private static Estimate locate(
      double quantile, double[] upper, double[] count, boolean levelled) {
    int last = upper.length - 1;
    double rank = quantile * count[last];
    int b = 0;
    while (b < last && count[b] < rank) {
      b++;
    }
    if (b == last) {
      Remark remark = levelled ? Remark.LEVELLED : Remark.BEYOND_LAST_EDGE;
      return new Estimate(
          upper[last - 1], upper[last - 1], Double.POSITIVE_INFINITY, count[last], remark);
    }
    if (b == 0 && upper[0] <= 0) {
      return new Estimate(upper[0], Double.NaN, upper[0], count[last], Remark.NONE);
    }
    double low = b == 0 ? 0 : upper[b - 1];
    double below = b == 0 ? 0 : count[b - 1];
    double value = low + (upper[b] - low) * ((rank - below) / (count[b] - below));
    return new Estimate(
        value, low, upper[b], count[last], remark(levelled, count[0] == count[last]));
  }

  private static Remark remark(boolean levelled, boolean allInFirst) {
    if (levelled) {
      return Remark.LEVELLED;
    }
    return allInFirst ? Remark.IN_FIRST_BUCKET : Remark.NONE;
  }
}
