package org.inferometer.histogram;

import org.inferometer.model.KahanSum;

/** The variance of a histogram's observations, estimated from its buckets. */
final class HistogramVariance {
  private HistogramVariance() {}

  static double of(NativeHistogram h) {
    double mean = h.sum() / h.count();
    double sum = 0;
    double compensation = 0;
    BucketWalk walk = BucketWalk.ascending(h);
    while (walk.next()) {
      double delta = middle(walk) - mean;
      double term = walk.count() * delta * delta;
      double next = sum + term;
      compensation = KahanSum.compensation(sum, compensation, term, next);
      sum = next;
    }
    return (sum + compensation) / h.count();
  }

  /** The arithmetic middle of a custom bucket or the zero bucket, else the geometric one. */
  private static double middle(BucketWalk bucket) {
    return bucket.isLinear()
        ? (bucket.upper() + bucket.lower()) / 2
        : Interpolation.geometricMean(bucket.lower(), bucket.upper());
  }
}
