package org.inferometer.histogram;

/** The variance of a histogram's observations, estimated from its buckets. */
final class HistogramVariance {
  private HistogramVariance() {}

  static double of(NativeHistogram h) {
    double mean = h.sum() / h.count();
    double sum = 0;
    double compensation = 0;
    for (Bucket b : h.buckets()) {
      if (b.count() != 0) {
        double delta = middle(b, h.hasCustomBounds()) - mean;
        double term = b.count() * delta * delta;
        double next = sum + term;
        // Neumaier's compensation of rounding.
        compensation += Math.abs(sum) >= Math.abs(term) ? (sum - next) + term : (term - next) + sum;
        sum = next;
      }
    }
    double total = Double.isFinite(compensation) ? sum + compensation : sum;
    return total / h.count();
  }

  /** The arithmetic middle of a custom bucket, 0 of the zero bucket, else the geometric one. */
  private static double middle(Bucket b, boolean custom) {
    if (custom) {
      return (b.upper() + b.lower()) / 2;
    }
    if (b.lower() <= 0 && b.upper() >= 0) {
      return 0;
    }
    double middle = Math.sqrt(b.upper() * b.lower());
    return b.upper() < 0 ? -middle : middle;
  }
}
