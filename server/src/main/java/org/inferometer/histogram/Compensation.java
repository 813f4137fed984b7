package org.inferometer.histogram;

/**
 * What a floating-point sum lost to rounding, after Neumaier ("Rundungsfehleranalyse einiger
 * Verfahren zur Summation endlicher Summen", 1974).
 */
final class Compensation {
  private Compensation() {}

  /** The compensation after {@code next = sum + value}. */
  static double after(double sum, double compensation, double value, double next) {
    if (Double.isInfinite(next)) {
      return 0;
    }
    return Math.abs(sum) >= Math.abs(value)
        ? compensation + ((sum - next) + value)
        : compensation + ((value - next) + sum);
  }
}
