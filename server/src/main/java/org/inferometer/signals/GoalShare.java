package org.inferometer.signals;

import java.util.List;

/**
 * A share of requests between two bounds, and what follows for several conditions at once.
 *
 * @param low between 0 and 1; NaN if there were no requests
 * @param high at least the lower bound
 */
record GoalShare(double low, double high) {
  static final GoalShare UNKNOWN = new GoalShare(0, 1);
  static final GoalShare NONE = new GoalShare(Double.NaN, Double.NaN);

  static GoalShare exactly(double share) {
    return new GoalShare(share, share);
  }

  /**
   * The share of observations within a limit: at least those up to the last edge below it, and at
   * most those up to the first edge above it.
   *
   * @param edges ascending
   * @param counts cumulative, NaN for a bucket that isn't there
   */
  static GoalShare within(double limit, double[] edges, double[] counts) {
    double atMost = 0;
    double before = Double.NaN;
    double after = Double.NaN;
    double total = Double.NaN;
    for (int i = 0; i < edges.length; i++) {
      if (!Double.isNaN(counts[i])) {
        double sum = sameEdge(edges, counts, i);
        atMost = Math.max(atMost, sum);
        before = edges[i] <= limit ? atMost : before;
        after = Double.isNaN(after) && edges[i] >= limit ? atMost : after;
        total = edges[i] == Double.POSITIVE_INFINITY ? atMost : total;
      }
    }
    return total > 0
        ? new GoalShare((Double.isNaN(before) ? 0 : before) / total, after / total)
        : NONE;
  }

  /** What all columns of an edge count together. */
  private static double sameEdge(double[] edges, double[] counts, int index) {
    double sum = 0;
    for (int i = 0; i < edges.length; i++) {
      sum += edges[i] == edges[index] && !Double.isNaN(counts[i]) ? counts[i] : 0;
    }
    return sum;
  }

  /**
   * The share for which all conditions hold, whatever they have to do with each other: at least
   * what is left if each fails for others, at most the rarest one. No narrower bounds follow from
   * the shares alone (Fréchet 1935, Hoeffding 1940).
   */
  static GoalShare all(List<GoalShare> conditions) {
    double low = 1 - conditions.size();
    double high = 1;
    for (GoalShare condition : conditions) {
      if (Double.isNaN(condition.high())) {
        return NONE;
      }
      low += condition.low();
      high = Math.min(high, condition.high());
    }
    return new GoalShare(Math.min(high, Math.max(0, low)), high);
  }
}
