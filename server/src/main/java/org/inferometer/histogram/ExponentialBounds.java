package org.inferometer.histogram;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Bounds of the buckets of exponential schemas: bucket {@code i} of schema {@code s} covers {@code
 * (2^((i-1) * 2^-s), 2^(i * 2^-s)]}.
 *
 * <p>The schemas are those of Prometheus's native histogram specification, version 1.
 */
final class ExponentialBounds {
  static final int SCHEMA_MIN = -4;
  static final int SCHEMA_MAX = 8;

  /** Decimal digits enough for the last bit of a double after 256 multiplications. */
  private static final MathContext PRECISE = new MathContext(40);

  /** {@code 2^(k / 2^8)} for k from 0 to 255; the coarser schemas' are among them. */
  private static final double[] POWERS = powers();

  private ExponentialBounds() {}

  private static double[] powers() {
    BigDecimal root = BigDecimal.TWO;
    for (int i = 0; i < SCHEMA_MAX; i++) {
      root = root.sqrt(PRECISE);
    }
    double[] powers = new double[1 << SCHEMA_MAX];
    BigDecimal power = BigDecimal.ONE;
    for (int k = 0; k < powers.length; k++) {
      powers[k] = power.doubleValue();
      power = power.multiply(root, PRECISE);
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
