package org.inferometer.histogram;

import java.util.Map;
import java.util.TreeMap;

/**
 * Collects a classic histogram's series at one moment and turns them into a native one with custom
 * bounds. Not thread-safe.
 */
public final class ClassicBuckets {
  private final TreeMap<Double, Double> cumulativeByBound = new TreeMap<>();
  private double count = Double.NaN;
  private double sum;
  private boolean hasCount;

  /**
   * Of two buckets with one bound the first counts.
   *
   * @param upperBound the {@code le} label's number
   * @param cumulative observations up to the bound
   */
  public void bucket(double upperBound, double cumulative) {
    // -0 and 0 are one bound.
    cumulativeByBound.putIfAbsent(upperBound + 0.0, cumulative);
  }

  public void count(double observations) {
    count = observations;
    hasCount = true;
  }

  public void sum(double total) {
    sum = total;
  }

  /**
   * @throws IllegalArgumentException if buckets don't ascend, or the count isn't that of all
   *     buckets
   */
  public NativeHistogram toHistogram() {
    Map.Entry<Double, Double> last = cumulativeByBound.lastEntry();
    double total = hasCount ? count : last == null ? 0 : last.getValue();
    cumulativeByBound.putIfAbsent(Double.POSITIVE_INFINITY, total);
    double[] bounds = new double[cumulativeByBound.size() - 1];
    double[] counts = new double[cumulativeByBound.size()];
    double before = 0;
    int i = 0;
    for (Map.Entry<Double, Double> bucket : cumulativeByBound.entrySet()) {
      if (bucket.getValue() < before) {
        throw new IllegalArgumentException(
            "expected cumulative buckets, but le=%s counts %s after %s"
                .formatted(bucket.getKey(), bucket.getValue(), before));
      }
      if (i < bounds.length) {
        bounds[i] = bucket.getKey();
      }
      counts[i++] = bucket.getValue() - before;
      before = bucket.getValue();
    }
    if (before != total) {
      throw new IllegalArgumentException(
          "expected the count of all buckets, %s, got %s".formatted(before, total));
    }
    return NativeHistogram.custom(total, sum, Buckets.from(0, counts).compact(), bounds);
  }
}
