package org.inferometer.histogram;

/** The share of observations between two values, by interpolation within buckets. */
final class HistogramFraction {
  private HistogramFraction() {}

  static double of(double lower, double upper, NativeHistogram h) {
    if (h.count() == 0 || Double.isNaN(lower) || Double.isNaN(upper)) {
      return Double.NaN;
    }
    if (lower >= upper) {
      return 0;
    }
    // Observations of NaN are counted but lie between no two values.
    double total = Double.isNaN(h.sum()) ? inBuckets(h) : h.count();
    return (countBelow(upper, h, total) - countBelow(lower, h, total)) / h.count();
  }

  private static double inBuckets(NativeHistogram h) {
    double count = 0;
    BucketWalk walk = BucketWalk.ascending(h);
    while (walk.next()) {
      count += walk.count();
    }
    return count;
  }

  private static double countBelow(double value, NativeHistogram h, double total) {
    double count = 0;
    BucketWalk walk = BucketWalk.ascending(h);
    while (walk.next()) {
      if (walk.from() >= value) {
        return Math.min(count, total);
      }
      if (walk.to() > value) {
        return Math.min(count + walk.count() * walk.shareBelow(value), total);
      }
      count += walk.count();
    }
    return total;
  }
}
