package org.inferometer.histogram;

/**
 * A zero bucket that was widened until it ends at no inside of a bucket that counts anything.
 *
 * @param threshold what the width became: as asked, or wider
 * @param count observations within
 */
record ZeroBucket(double threshold, double count) {
  /**
   * @param threshold at least that of the histogram
   */
  static ZeroBucket widened(NativeHistogram h, double threshold) {
    if (threshold == h.zeroThreshold()) {
      return new ZeroBucket(threshold, h.zeroCount());
    }
    double wide = threshold;
    while (true) {
      double next = pastSplitBucket(h, h.negative(), pastSplitBucket(h, h.positive(), wide));
      if (next == wide) {
        return new ZeroBucket(
            wide,
            h.zeroCount()
                + countWithin(h, h.positive(), wide)
                + countWithin(h, h.negative(), wide));
      }
      wide = next;
    }
  }

  /** The upper end of the bucket that a threshold lies in, if that counts anything. */
  private static double pastSplitBucket(NativeHistogram h, Buckets buckets, double threshold) {
    for (int i = 0; i < buckets.size(); i++) {
      double lower = h.lowerBound(buckets.index(i));
      double upper = h.upperBound(buckets.index(i));
      if (lower >= threshold) {
        return threshold;
      }
      if (upper > threshold && buckets.count(i) != 0) {
        return upper;
      }
    }
    return threshold;
  }

  private static double countWithin(NativeHistogram h, Buckets buckets, double threshold) {
    double count = 0;
    for (int i = 0; i < buckets.size() && h.lowerBound(buckets.index(i)) < threshold; i++) {
      count += buckets.count(i);
    }
    return count;
  }

  /** A histogram with this zero bucket, and without the buckets that went into it. */
  NativeHistogram in(NativeHistogram h) {
    return threshold == h.zeroThreshold()
        ? h
        : new NativeHistogram(
            h.schema(),
            h.count(),
            h.sum(),
            threshold,
            count,
            outside(h, h.positive()),
            outside(h, h.negative()),
            h.customBounds(),
            h.resetHint());
  }

  private Buckets outside(NativeHistogram h, Buckets buckets) {
    int i = 0;
    while (i < buckets.size() && h.lowerBound(buckets.index(i)) < threshold) {
      i++;
    }
    if (i == buckets.size()) {
      return Buckets.NONE;
    }
    return buckets.startingAt(buckets.index(i));
  }
}
