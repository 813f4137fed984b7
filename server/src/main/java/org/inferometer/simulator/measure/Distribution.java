package org.inferometer.simulator.measure;

import java.util.Arrays;

/** Counts values by buckets, as a classic histogram does. Not thread-safe. */
public final class Distribution {
  private final double[] edges;
  private final long[] counts;
  private long count;
  private double sum;

  /**
   * @param edges upper bounds, each included in its bucket, rising; without +Inf
   */
  public Distribution(double... edges) {
    for (int i = 0; i < edges.length; i++) {
      if (!Double.isFinite(edges[i]) || (i > 0 && edges[i] <= edges[i - 1])) {
        throw new IllegalArgumentException("expected rising edges: " + Arrays.toString(edges));
      }
    }
    this.edges = edges.clone();
    this.counts = new long[edges.length + 1];
  }

  public void observe(double value) {
    observe(value, 1);
  }

  /** Counts the same value several times. */
  public void observe(double value, long times) {
    int low = 0;
    int high = edges.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (value <= edges[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    counts[low] += times;
    count += times;
    sum += value * times;
  }

  public int bucketCount() {
    return counts.length;
  }

  /** The upper bound of a bucket; the last one's is infinite. */
  public double edge(int bucket) {
    return bucket == edges.length ? Double.POSITIVE_INFINITY : edges[bucket];
  }

  /** How many fell into this bucket alone. */
  public long inBucket(int bucket) {
    return counts[bucket];
  }

  public long count() {
    return count;
  }

  public double sum() {
    return sum;
  }

  public double mean() {
    return count == 0 ? Double.NaN : sum / count;
  }
}
