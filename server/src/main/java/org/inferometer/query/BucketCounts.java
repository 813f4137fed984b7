package org.inferometer.query;

import org.jspecify.annotations.Nullable;

/**
 * The cumulative buckets of one classic histogram at one time, sorted by upper bound: filled,
 * repaired and asked for quantiles or fractions, again and again. Not thread-safe.
 */
final class BucketCounts {
  /** Counts that differ relatively by less than this differ by rounding only. */
  private static final double DELTA_TOLERANCE = 1e-12;

  private final double[] bounds;
  private final double[] counts;
  private int size;

  BucketCounts(int capacity) {
    bounds = new double[capacity];
    counts = new double[capacity];
  }

  /** What had to be forced up so that counts don't go down. */
  record Forced(double lowestBound, double highestBound, double differenceMax) {}

  void clear() {
    size = 0;
  }

  /** Adds a bucket whose bound isn't below the last one's; equal bounds are summed. */
  void add(double bound, double count) {
    if (size > 0 && bounds[size - 1] == bound) {
      counts[size - 1] += count;
    } else {
      bounds[size] = bound;
      counts[size++] = count;
    }
  }

  private boolean isComplete() {
    return size > 0 && bounds[size - 1] == Double.POSITIVE_INFINITY;
  }

  /**
   * Makes the counts rise. Buckets that are scraped or rated one by one needn't.
   *
   * @return null if nothing had to be changed but rounding errors
   */
  @Nullable Forced forceMonotonic() {
    if (!isComplete()) {
      return null;
    }
    double lowest = Double.NaN;
    double highest = Double.NaN;
    double differenceMax = 0;
    double previous = counts[0];
    for (int i = 1; i < size; i++) {
      double count = counts[i];
      if (count == previous) {
        continue;
      }
      if (isAlmostEqual(previous, count)) {
        counts[i] = previous;
      } else if (count < previous) {
        counts[i] = previous;
        lowest = Double.isNaN(lowest) ? bounds[i] : lowest;
        highest = bounds[i];
        differenceMax = Math.max(differenceMax, previous - count);
      } else {
        previous = count;
      }
    }
    return Double.isNaN(lowest) ? null : new Forced(lowest, highest, differenceMax);
  }

  private static boolean isAlmostEqual(double a, double b) {
    double size = Math.abs(a) + Math.abs(b);
    double difference = Math.abs(a - b);
    if (a == 0 || b == 0 || size < Double.MIN_NORMAL) {
      return difference < DELTA_TOLERANCE * Double.MIN_NORMAL;
    }
    return difference / Math.min(size, Double.MAX_VALUE) < DELTA_TOLERANCE;
  }

  /** The q-quantile, linear inside its bucket; after {@link #forceMonotonic}. */
  double quantile(double q) {
    if (Double.isNaN(q)) {
      return Double.NaN;
    }
    if (q < 0) {
      return Double.NEGATIVE_INFINITY;
    }
    if (q > 1) {
      return Double.POSITIVE_INFINITY;
    }
    if (!isComplete() || size < 2 || counts[size - 1] == 0) {
      return Double.NaN;
    }
    double rank = q * counts[size - 1];
    int bucket = bucketOfRank(rank);
    if (bucket == size - 1) {
      return bounds[size - 2];
    }
    if (bucket == 0) {
      return bounds[0] <= 0 ? bounds[0] : bounds[0] * (rank / counts[0]);
    }
    double low = bounds[bucket - 1];
    double below = counts[bucket - 1];
    return low + (bounds[bucket] - low) * ((rank - below) / (counts[bucket] - below));
  }

  /** The first bucket but the last that reaches the rank, else the last. */
  private int bucketOfRank(double rank) {
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (counts[middle] >= rank) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The share of observations in (lower, upper]. */
  double fraction(double lower, double upper) {
    if (!isComplete()
        || counts[size - 1] == 0
        || Double.isNaN(counts[size - 1])
        || Double.isNaN(lower)
        || Double.isNaN(upper)) {
      return Double.NaN;
    }
    return lower >= upper ? 0 : (rankOf(upper) - rankOf(lower)) / counts[size - 1];
  }

  /** How many observations are at most {@code value}, linear inside its bucket. */
  private double rankOf(double value) {
    double below = 0;
    double low = bounds[0] > 0 ? 0 : Double.NEGATIVE_INFINITY;
    for (int i = 0; i < size; i++) {
      if (low >= value) {
        break;
      }
      if (bounds[i] > value) {
        double inside = counts[i] - below;
        double share = low == Double.NEGATIVE_INFINITY ? 1 : (value - low) / (bounds[i] - low);
        return Math.min(below + inside * share, counts[size - 1]);
      }
      low = bounds[i];
      below = counts[i];
    }
    return Math.min(below, counts[size - 1]);
  }
}
