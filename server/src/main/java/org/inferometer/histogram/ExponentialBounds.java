package org.inferometer.histogram;

/**
 * Bounds of the buckets of exponential schemas: bucket {@code i} of schema {@code s} covers {@code
 * (2^((i-1) * 2^-s), 2^(i * 2^-s)]}.
 *
 * <p>The schemas are those of Prometheus's native histogram specification, version 1.
 */
final class ExponentialBounds {
  static final int SCHEMA_MIN = -4;
  static final int SCHEMA_MAX = 8;

  /**
   * {@code 2^(1/2), 2^(1/4), ..., 2^(1/256)} as Prometheus has them: the first is the double below
   * the nearest one.
   */
  private static final double[] ROOTS = {
    1.414213562373095,
    1.189207115002721,
    1.0905077326652577,
    1.0442737824274138,
    1.0218971486541166,
    1.0108892860517005,
    1.0054299011128027,
    1.0027112750502025
  };

  /** {@code 2^(k / 2^8)} for k from 0 to 255; the coarser schemas' are among them. */
  private static final double[] POWERS = powers();

  private ExponentialBounds() {}

  /**
   * Products of the roots, the largest first: this way the bounds are the same to the last bit as
   * those of Prometheus and its client libraries, which isn't always the nearest double.
   */
  private static double[] powers() {
    double[] powers = new double[1 << SCHEMA_MAX];
    for (int k = 0; k < powers.length; k++) {
      powers[k] = 1;
      for (int i = 0; i < SCHEMA_MAX; i++) {
        if ((k & (1 << (SCHEMA_MAX - 1 - i))) != 0) {
          powers[k] *= ROOTS[i];
        }
      }
    }
    return powers;
  }

  /** The upper bound of a bucket; the largest finite number for the last one below infinity. */
  static double upper(long index, int schema) {
    if (schema < 0) {
      long exponent = index << -schema;
      return exponent == Double.MAX_EXPONENT + 1 ? Double.MAX_VALUE : scaled(1, exponent);
    }
    int fraction = (int) index & ((1 << schema) - 1);
    long exponent = index >> schema;
    if (fraction == 0 && exponent == Double.MAX_EXPONENT + 1) {
      return Double.MAX_VALUE;
    }
    return scaled(POWERS[fraction << (SCHEMA_MAX - schema)], exponent);
  }

  private static double scaled(double fraction, long exponent) {
    return Math.scalb(fraction, (int) Math.clamp(exponent, -3000L, 3000L));
  }

  /** The index in a coarser schema of the bucket that a bucket becomes part of. */
  static int coarser(int index, int schema, int target) {
    return (int) (((index - 1L) >> (schema - target)) + 1);
  }
}
