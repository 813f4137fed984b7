package org.inferometer.diagnosis.cause;

import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.Readings;

/**
 * The long end of total latencies, which a time limit cuts or piles up.
 *
 * @param p50 over the window's end, in seconds
 * @param p95 over the window's end
 * @param p99 over the window's end
 * @param before the P99 of the baseline, NaN if there is none
 * @param spread highest less lowest P99 along the window's end, through its mean
 */
record OutsideTail(double p50, double p95, double p99, double before, double spread) {

  static OutsideTail of(Readings readings, Period window, Thresholds thresholds) {
    double span = thresholds.get("recent_seconds");
    Reading last = readings.get("e2e_p99");
    double p99 = known(OutsideLine.recent(last, window, span), last.value());
    return new OutsideTail(
        known(OutsideLine.recent(readings.get("e2e_p50"), window, span), readings.value("e2e_p50")),
        known(OutsideLine.recent(readings.get("e2e_p95"), window, span), readings.value("e2e_p95")),
        p99,
        last.baseline(),
        OutsideLine.spread(last, window, thresholds.get("fixed_seconds")) / p99);
  }

  private static double known(double value, double other) {
    return Double.isNaN(value) ? other : value;
  }

  /** Whether what took longest before is missing now. */
  boolean isCut(Thresholds thresholds) {
    return p99 <= thresholds.get("cut_tail_share") * before;
  }

  /**
   * Whether many requests end at about the same time, far beyond the usual one, and have done so
   * all along: a limit, not a latency.
   */
  boolean isPiled(Thresholds thresholds) {
    return spread <= thresholds.get("fixed_spread")
        && p95 >= thresholds.get("piled_tail_share") * p99
        && p99 >= thresholds.get("far_tail_factor") * p50;
  }
}
