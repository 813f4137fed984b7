package org.inferometer.diagnosis.cause;

import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;

/** By how much mean lengths of answers must differ before it isn't chance. */
final class OutsideAnswerLengths {
  /** Below this nothing is known of how long answers were. */
  private static final double SEEN_SHARE_MIN = 0.1;

  private OutsideAnswerLengths() {}

  /**
   * The mean length now: over the window's end where that differs from before by more than chance,
   * else over all of the window.
   */
  static double now(ServiceWorld service, Thresholds thresholds) {
    Reading length = service.get("output_length_mean");
    double span = thresholds.get("recent_seconds");
    double end = OutsideLine.recent(length, service.window(), span);
    double ratio = end / length.baseline();
    double factor = factor(service, thresholds, span);
    return ratio >= factor || ratio <= 1 / factor ? end : length.value();
  }

  /** The factor between window and baseline that counts. */
  static double factor(ServiceWorld service, Thresholds thresholds) {
    return factor(service, thresholds, service.window().lengthMs() / 1000.0);
  }

  /**
   * Lengths spread by about their mean, so a mean of n varies by its root; the fewer answers, the
   * more is needed.
   */
  private static double factor(ServiceWorld service, Thresholds thresholds, double seconds) {
    Reading rate = service.get("request_rate");
    Period baseline = service.baseline();
    double before = baseline == null ? Double.NaN : rate.baseline() * baseline.lengthMs() / 1000;
    double spread = Math.sqrt(1 / (rate.value() * seconds) + 1 / before);
    double chance = 1 + thresholds.get("chance_deviations") * spread;
    return Math.max(thresholds.get("longer_answer_factor"), Double.isNaN(chance) ? 1 : chance)
        / seenShare(service);
  }

  /**
   * Of requests as long as today's, the share that could have ended by the baseline's end, if all
   * began when the engine was first seen: soon after a start only short answers have ended.
   */
  private static double seenShare(ServiceWorld service) {
    Reading running = service.get("running");
    Period baseline = service.baseline();
    double total = service.get("e2e_mean").value();
    for (int i = 0; baseline != null && i < running.values().length; i++) {
      if (!Double.isNaN(running.values()[i])) {
        double seen = (baseline.endMs() - running.timesMs()[i]) / 1000.0;
        return Double.isNaN(total) ? 1 : Math.max(SEEN_SHARE_MIN, 1 - total / seen);
      }
    }
    return 1;
  }
}
