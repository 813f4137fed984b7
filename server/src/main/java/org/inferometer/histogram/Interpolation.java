package org.inferometer.histogram;

/**
 * Values within an exponential bucket, whose bounds have the same sign and whose observations are
 * taken to lie evenly on a logarithmic scale.
 */
final class Interpolation {
  private Interpolation() {}

  /** The value below which a share of the observations lies. */
  static double value(double lower, double upper, double share) {
    if (Double.isInfinite(lower) || Double.isInfinite(upper)) {
      // Beyond the largest number there is no scale; the bucket is as good as its finite end.
      return Double.isInfinite(upper) ? lower : upper;
    }
    double logLower = log2(Math.abs(lower));
    double logUpper = log2(Math.abs(upper));
    // From the end that is nearer to zero on.
    return lower > 0
        ? Math.pow(2, logLower + (logUpper - logLower) * share)
        : -Math.pow(2, logUpper + (logLower - logUpper) * (1 - share));
  }

  /** The share of the observations that lies below a value. */
  static double share(double lower, double upper, double value) {
    double logLower = log2(Math.abs(lower));
    double logUpper = log2(Math.abs(upper));
    double logValue = log2(Math.abs(value));
    return value > 0
        ? (logValue - logLower) / (logUpper - logLower)
        : 1 - (logValue - logUpper) / (logLower - logUpper);
  }

  /** The middle on a logarithmic scale. */
  static double geometricMean(double lower, double upper) {
    double size = Math.sqrt(Math.abs(lower)) * Math.sqrt(Math.abs(upper));
    return lower > 0 ? size : -size;
  }

  /** Exact for powers of two, which most bounds are. */
  private static double log2(double value) {
    int exponent = Math.getExponent(value);
    return exponent >= Double.MIN_EXPONENT && value == Math.scalb(1.0, exponent)
        ? exponent
        : Math.log(value) / Math.log(2);
  }
}
