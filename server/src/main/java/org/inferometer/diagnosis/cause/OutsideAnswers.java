package org.inferometer.diagnosis.cause;

import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.EdgeWorld;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/**
 * Answers that come out before the engines, held against those that engines tell of.
 *
 * @param beyond share of the answers that no engine tells of; at most 0 if they tell of all
 */
record OutsideAnswers(EdgeWorld edge, double beyond) {

  /** At the first edge that counts answers, over the window's end; null if none does. */
  static @Nullable OutsideAnswers of(ServiceWorld service, Thresholds thresholds) {
    Period window = service.window();
    double span = thresholds.get("recent_seconds");
    for (EdgeWorld edge : service.edges()) {
      double out = OutsideLine.recent(edge.get("completed_rate"), window, span);
      double told = OutsideLine.recent(service.get("request_rate"), window, span);
      for (var other : edge.others()) {
        double more = OutsideLine.recent(other.get("request_rate"), window, span);
        told += Double.isNaN(more) ? 0 : more;
      }
      if (out > 0 && !Double.isNaN(told)) {
        return new OutsideAnswers(edge, (out - told) / out);
      }
    }
    return null;
  }
}
