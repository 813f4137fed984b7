package org.inferometer.histogram;

/**
 * A quantile by interpolation within the bucket that it falls into. Observations of NaN are in no
 * bucket and count as the largest.
 */
final class HistogramQuantile {
  private HistogramQuantile() {}

  static double of(double q, NativeHistogram h) {
    if (q < 0) {
      return Double.NEGATIVE_INFINITY;
    }
    if (q > 1) {
      return Double.POSITIVE_INFINITY;
    }
    if (h.count() == 0 || Double.isNaN(q)) {
      return Double.NaN;
    }
    // From the near end, for precision; NaN observations are missing at the far one.
    boolean ascending = Double.isNaN(h.sum()) || q < 0.5;
    BucketWalk walk = ascending ? BucketWalk.ascending(h) : BucketWalk.descending(h);
    double rank = (ascending ? q : 1 - q) * h.count();
    double seen = 0;
    while (walk.next()) {
      seen += walk.count();
      if (seen >= rank) {
        break;
      }
    }
    return within(walk, rank, Math.min(seen, h.count()), ascending);
  }

  /**
   * @param seen observations in this bucket and those before it
   */
  private static double within(BucketWalk walk, double rank, double seen, boolean ascending) {
    if (walk.count() == 0) {
      return Double.NaN;
    }
    // Within a bucket without end nothing is known but its finite bound.
    if (walk.from() == Double.NEGATIVE_INFINITY) {
      return walk.upper();
    }
    if (walk.lower() != Double.NEGATIVE_INFINITY && walk.upper() == Double.POSITIVE_INFINITY) {
      return walk.lower();
    }
    if (seen < rank) {
      return Double.NaN;
    }
    return walk.valueAt((ascending ? rank - (seen - walk.count()) : seen - rank) / walk.count());
  }
}
