package org.inferometer.histogram;

import java.util.List;

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
    boolean fromBelow = Double.isNaN(h.sum()) || q < 0.5;
    List<Bucket> buckets = fromBelow ? h.buckets() : h.buckets().reversed();
    double rank = (fromBelow ? q : 1 - q) * h.count();
    double seen = 0;
    Bucket bucket = new Bucket(0, 0, false, false, 0);
    for (Bucket b : buckets) {
      if (b.count() != 0) {
        bucket = b;
        seen += b.count();
        if (seen >= rank) {
          break;
        }
      }
    }
    return within(bucket, h, rank, Math.min(seen, h.count()), fromBelow);
  }

  private static double within(
      Bucket bucket, NativeHistogram h, double rank, double seen, boolean fromBelow) {
    if (h.hasCustomBounds() && bucket.lower() == Double.NEGATIVE_INFINITY && bucket.upper() <= 0) {
      return bucket.upper();
    }
    if (h.hasCustomBounds()
        && bucket.lower() != Double.NEGATIVE_INFINITY
        && bucket.upper() == Double.POSITIVE_INFINITY) {
      return bucket.lower();
    }
    if (seen < rank) {
      return Double.isNaN(h.sum()) ? Double.NaN : bucket.upper();
    }
    double above = fromBelow ? rank - (seen - bucket.count()) : seen - rank;
    return Interpolation.in(bucket, h).value(above / bucket.count());
  }
}
