package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.EdgeWorld;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/**
 * Requests that fail before the engine.
 *
 * @param edge where they are counted
 * @param reading that counts them
 * @param share of the requests that fail, over the window or over its end, whichever is more
 * @param seconds that failed requests took on average, NaN if that can't be told
 * @param answerSeconds that answered requests took on average, NaN if that can't be told
 */
record OutsideFailures(
    EdgeWorld edge, Reading reading, double share, double seconds, double answerSeconds) {

  /** The edge where most fail, null if none counts failures. Gateways are believed first. */
  static @Nullable OutsideFailures find(ServiceWorld service, Thresholds thresholds) {
    OutsideFailures worst = null;
    List<EdgeWorld> edges = new ArrayList<>(service.gateways());
    edges.addAll(service.clients());
    for (EdgeWorld edge : edges) {
      Reading reading =
          edge.get("http_5xx_share").isKnown()
              ? edge.get("http_5xx_share")
              : edge.get("error_share");
      if (reading.isKnown()) {
        double now = recent(service, thresholds).applyAsDouble(reading);
        double share = Double.isNaN(now) ? reading.value() : Math.max(reading.value(), now);
        if (worst == null || share > worst.share + thresholds.get("failed_share")) {
          worst = new OutsideFailures(edge, reading, share, Double.NaN, Double.NaN);
        }
      }
    }
    return worst == null ? null : worst.timed(service, thresholds);
  }

  private static ToDoubleFunction<Reading> recent(ServiceWorld service, Thresholds thresholds) {
    Period window = service.window();
    double span = thresholds.get("recent_seconds");
    return r -> OutsideLine.recent(r, window, span);
  }

  /**
   * How long failures took. Clients time all requests, engines and gateways only those that were
   * answered: all = failed share * failed + (1 - failed share) * answered.
   */
  private OutsideFailures timed(ServiceWorld service, Thresholds thresholds) {
    double failed = Double.NaN;
    double answered = Double.NaN;
    for (EdgeWorld client : service.clients()) {
      for (ToDoubleFunction<Reading> value :
          List.of(recent(service, thresholds), (ToDoubleFunction<Reading>) Reading::value)) {
        double failing = value.applyAsDouble(client.get("error_share"));
        double all = value.applyAsDouble(client.get("e2e_mean"));
        double ok = answered(service, value);
        if (failing >= thresholds.get("failed_share") && !Double.isNaN(all) && ok > 0) {
          failed = Math.max(0, (all - (1 - failing) * ok) / failing);
          answered = ok;
        }
      }
    }
    if (Double.isNaN(answered)) {
      answered = answered(service, Reading::value);
    }
    return new OutsideFailures(edge, reading, share, failed, answered);
  }

  /** How long answers took, as a gateway times those it passes on, or else as the engine does. */
  private static double answered(ServiceWorld service, ToDoubleFunction<Reading> value) {
    for (EdgeWorld gateway : service.gateways()) {
      double mean = value.applyAsDouble(gateway.get("e2e_mean"));
      if (!Double.isNaN(mean)) {
        return mean;
      }
    }
    return value.applyAsDouble(service.get("e2e_mean"));
  }
}
