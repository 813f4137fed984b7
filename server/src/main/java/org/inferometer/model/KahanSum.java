package org.inferometer.model;

/**
 * A running sum with Neumaier's compensation ("Rundungsfehleranalyse einiger Verfahren zur
 * Summation endlicher Summen", 1974), in the exact order of operations that Prometheus uses, so
 * that results agree to the last bit. Not thread-safe.
 */
public final class KahanSum {
  private double sum;
  private double compensation;

  /** Starts over from a number. */
  public void set(double value) {
    sum = value;
    compensation = 0;
  }

  public void add(double value) {
    double next = sum + value;
    compensation = compensation(sum, compensation, value, next);
    sum = next;
  }

  public double value() {
    return sum + compensation;
  }

  /** The compensation after {@code next = sum + value}. */
  public static double compensation(double sum, double compensation, double value, double next) {
    if (Double.isInfinite(next)) {
      return 0;
    }
    return Math.abs(sum) >= Math.abs(value)
        ? compensation + ((sum - next) + value)
        : compensation + ((value - next) + sum);
  }
}
