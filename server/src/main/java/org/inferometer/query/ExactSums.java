package org.inferometer.query;

import org.jspecify.annotations.Nullable;

/**
 * Running sums of whole numbers. As long as they fit in the mantissa, every difference of two of
 * them is the exact sum of what lies between, so that any window costs one subtraction; a sum with
 * compensation would give the same bits.
 */
final class ExactSums {
  private static final double WHOLE_MAX = 0x1p53;

  private ExactSums() {}

  /** Sums before each of the first {@code n} values and after the last; null if not all exact. */
  static double @Nullable [] prefixes(double[] values, int n) {
    double[] prefixes = new double[n + 1];
    double size = 0;
    for (int i = 0; i < n; i++) {
      double value = values[i];
      size += Math.abs(value);
      if (value != Math.rint(value) || !(size <= WHOLE_MAX)) {
        return null;
      }
      prefixes[i + 1] = prefixes[i] + value;
    }
    return prefixes;
  }
}
