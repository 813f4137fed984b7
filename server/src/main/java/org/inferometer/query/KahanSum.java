package org.inferometer.query;

/**
 * A running sum with Neumaier's compensation ("Rundungsfehleranalyse einiger Verfahren zur
 * Summation endlicher Summen", 1974), in the exact order of operations that Prometheus uses, so
 * that results agree to the last bit.
 */
final class KahanSum {
  private double sum;
  private double compensation;

  void clear() {
    sum = 0;
    compensation = 0;
  }

  void add(double value) {
    double next = sum + value;
    compensation = compensation(sum, compensation, value, next);
    sum = next;
  }

  double value() {
    return sum + compensation;
  }

  /** The compensation after {@code next = sum + value}. */
  static double compensation(double sum, double compensation, double value, double next) {
    if (Double.isInfinite(next)) {
      return 0;
    }
    return Math.abs(sum) >= Math.abs(value)
        ? compensation + ((sum - next) + value)
        : compensation + ((value - next) + sum);
  }
}
