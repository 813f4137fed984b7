package org.inferometer.diagnosis.world;

import org.inferometer.diagnosis.threshold.Thresholds;

/** Tells what users feel from what chance, or the width of a bucket, makes of few requests. */
final class SymptomChance {
  private final Thresholds thresholds;
  private final long judgedMs;

  /**
   * @param judgedMs how long what is judged lasts
   */
  SymptomChance(Thresholds thresholds, long judgedMs) {
    this.thresholds = thresholds;
    this.judgedMs = judgedMs;
  }

  /** Whether a quantile is of too few to say anything. */
  boolean isOfFew(Reading quantile) {
    return quantile.detail().count() < thresholds.get("symptom_requests_min");
  }

  /** Whether so few are beyond a quantile that chance moves it; a mean is of all. */
  boolean isTailOfFew(Reading quantile) {
    int mark = quantile.signal().lastIndexOf("_p");
    double percent = mark < 0 ? 0 : Double.parseDouble(quantile.signal().substring(mark + 2));
    double beyond = quantile.detail().count() * (1 - percent / 100);
    return isOfFew(quantile) || beyond < thresholds.get("symptom_tail_requests_min");
  }

  /** Whether it rose by enough wherever in its bucket it is; nothing else bears it out. */
  static boolean isSurelyRisen(Reading quantile, double before, double rise) {
    double limit = before + rise;
    return !(quantile.low() < limit) || quantile.value() > 2 * limit;
  }

  /** Whether its bucket overlaps that of the baseline, so that it may be the same. */
  static boolean isSameBucket(Reading quantile) {
    return quantile.low() < quantile.detail().baselineHigh();
  }

  /** One failure of few requests is beyond any share. */
  boolean isByChance(Reading share, double limit, Readings readings) {
    double requests = readings.value("request_rate") * judgedMs / 1000;
    double failed = share.value() * requests;
    double expected = limit * requests;
    return failed < thresholds.get("symptom_failures_min")
        || failed < expected + Math.sqrt(expected);
  }

  /** Whether so few of a rate are more than chance leaves of the limit's. */
  boolean isSurelyBelow(double rate, double limit) {
    double seconds = judgedMs / 1000.0;
    double expected = limit * seconds;
    return rate == 0
        || rate * seconds <= expected - thresholds.get("symptom_spreads") * Math.sqrt(expected);
  }
}
