package org.inferometer.histogram;

/** How observations are taken to lie within a bucket. */
final class Interpolation {
  private final double lower;
  private final double upper;
  private final boolean isLinear;

  private Interpolation(double lower, double upper, boolean isLinear) {
    this.lower = lower;
    this.upper = upper;
    this.isLinear = isLinear;
  }

  /**
   * Linear in custom buckets and in the zero bucket, which ends at 0 if all other observations are
   * on one side; logarithmic elsewhere.
   */
  static Interpolation in(Bucket b, NativeHistogram h) {
    if (h.hasCustomBounds()) {
      boolean fromZero = b.lower() == Double.NEGATIVE_INFINITY && b.upper() > 0;
      return new Interpolation(fromZero ? 0 : b.lower(), b.upper(), true);
    }
    if (b.lower() > 0 || b.upper() < 0) {
      return new Interpolation(b.lower(), b.upper(), false);
    }
    boolean positiveOnly = h.negative().isEmpty() && !h.positive().isEmpty();
    boolean negativeOnly = h.positive().isEmpty() && !h.negative().isEmpty();
    return new Interpolation(positiveOnly ? 0 : b.lower(), negativeOnly ? 0 : b.upper(), true);
  }

  double lower() {
    return lower;
  }

  double upper() {
    return upper;
  }

  /** The value below which a share of the bucket's observations lies. */
  double value(double share) {
    if (isLinear) {
      return lower + (upper - lower) * share;
    }
    double logLower = log2(Math.abs(lower));
    double logUpper = log2(Math.abs(upper));
    return lower > 0
        ? Math.pow(2, logLower + (logUpper - logLower) * share)
        : -Math.pow(2, logUpper + (logLower - logUpper) * (1 - share));
  }

  /** The share of the bucket's observations that lies below a value within it. */
  double share(double value) {
    if (isLinear) {
      return lower == Double.NEGATIVE_INFINITY ? 1 : (value - lower) / (upper - lower);
    }
    double logLower = log2(Math.abs(lower));
    double logUpper = log2(Math.abs(upper));
    double logValue = log2(Math.abs(value));
    return value > 0
        ? (logValue - logLower) / (logUpper - logLower)
        : 1 - (logValue - logUpper) / (logLower - logUpper);
  }

  private static double log2(double value) {
    int exponent = Math.getExponent(value);
    // Exact for powers of two, which most bounds are.
    return exponent >= Double.MIN_EXPONENT && value == Math.scalb(1.0, exponent)
        ? exponent
        : Math.log(value) / Math.log(2);
  }
}
