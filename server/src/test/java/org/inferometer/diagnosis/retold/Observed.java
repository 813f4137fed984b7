package org.inferometer.diagnosis.retold;

/** A classic histogram that grows by observations spread around a mean. */
final class Observed {
  /** Standard normal quantiles of 20 equal shares, so that a law is seen in its whole width. */
  private static final double[] SHARES = {
    -1.96, -1.44, -1.15, -0.93, -0.76, -0.60, -0.45, -0.32, -0.19, -0.06, 0.06, 0.19, 0.32, 0.45,
    0.60, 0.76, 0.93, 1.15, 1.44, 1.96
  };

  final String family;
  final double[] edges;
  final double[] counts;
  double sum;
  double count;

  Observed(String family, double... edges) {
    this.family = family;
    this.edges = edges;
    this.counts = new double[edges.length];
  }

  /**
   * Observes something log-normal.
   *
   * @param number how many, in parts too
   * @param sigma of the logarithm; 0 for all alike
   * @param highest what is above is cut to it
   */
  void add(double number, double mean, double sigma, double highest) {
    double norm = 0;
    for (double z : SHARES) {
      norm += Math.exp(sigma * z) / SHARES.length;
    }
    for (double z : SHARES) {
      put(number / SHARES.length, Math.min(highest, mean * Math.exp(sigma * z) / norm));
    }
  }

  private void put(double number, double value) {
    for (int i = 0; i < edges.length; i++) {
      if (value <= edges[i]) {
        counts[i] += number;
      }
    }
    sum += number * value;
    count += number;
  }
}
