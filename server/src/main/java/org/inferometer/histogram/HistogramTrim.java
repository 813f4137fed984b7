package org.inferometer.histogram;

/**
 * What is left of a histogram when the observations on one side of a value are taken away. A bucket
 * that the value cuts keeps its share by interpolation. If anything was taken away, count and sum
 * are estimated anew, each bucket's observations taken to be in its middle; NaN observations, which
 * are on neither side, are gone then.
 *
 * <p>Of a custom bucket without end nothing is known but its finite bound, so it is never cut: it
 * is dropped if it has no end on the side that goes, else kept at its bound, or at the value if
 * that is further out.
 */
final class HistogramTrim {
  private final double cut;
  private final boolean keepsBelow;
  private double count;
  private double sum;

  private HistogramTrim(double cut, boolean keepsBelow) {
    this.cut = cut;
    this.keepsBelow = keepsBelow;
  }

  /**
   * @param keepsBelow whether what is up to the value is left, rather than what is above it
   */
  static NativeHistogram of(NativeHistogram h, double cut, boolean keepsBelow) {
    return new HistogramTrim(cut, keepsBelow).trimmed(h);
  }

  private NativeHistogram trimmed(NativeHistogram h) {
    double[] negative = new double[h.negative().size()];
    double[] positive = new double[h.positive().size()];
    double zeroCount = 0;
    boolean unchanged = true;
    BucketWalk walk = BucketWalk.ascending(h);
    while (walk.next()) {
      double kept = cut(walk);
      unchanged &= kept == walk.count();
      switch (walk.side()) {
        case NEGATIVE -> negative[walk.indexInSide()] = kept;
        case ZERO -> zeroCount = kept;
        case POSITIVE -> positive[walk.indexInSide()] = kept;
      }
    }
    return unchanged
        ? h
        : new NativeHistogram(
            h.schema(),
            count,
            sum,
            h.zeroThreshold(),
            zeroCount,
            h.positive().withCounts(positive).compact(),
            h.negative().withCounts(negative).compact(),
            h.customBounds(),
            h.resetHint());
  }

  /** How many of a bucket's observations are kept. */
  private double cut(BucketWalk bucket) {
    double from = bucket.from();
    double to = bucket.to();
    if (Double.isInfinite(from) || Double.isInfinite(to)) {
      return cutEndless(bucket);
    }
    if (keepsBelow ? to <= cut : from >= cut) {
      return keep(bucket.count(), middle(bucket, from, to));
    }
    if (!(from < cut && cut < to)) {
      return 0;
    }
    double share = bucket.shareBelow(cut);
    return keepsBelow
        ? keep(bucket.count() * share, middle(bucket, from, cut))
        : keep(bucket.count() * (1 - share), middle(bucket, cut, to));
  }

  private double cutEndless(BucketWalk bucket) {
    if (cut == (keepsBelow ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY)) {
      return keep(bucket.count(), 0);
    }
    boolean endlessWhereCut =
        Double.isInfinite(keepsBelow ? bucket.upper() : bucket.lower()) || !Double.isFinite(cut);
    if (endlessWhereCut) {
      return 0;
    }
    return keep(
        bucket.count(), keepsBelow ? Math.min(bucket.upper(), cut) : Math.max(bucket.lower(), cut));
  }

  private double keep(double observations, double value) {
    count += observations;
    sum += observations * value;
    return observations;
  }

  private static double middle(BucketWalk bucket, double from, double to) {
    return bucket.isLinear() ? (from + to) / 2 : Interpolation.geometricMean(from, to);
  }
}
