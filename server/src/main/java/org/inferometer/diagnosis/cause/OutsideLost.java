package org.inferometer.diagnosis.cause;

import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;

/**
 * Requests that the engine began and that ended without an answer.
 *
 * @param aborted share of those that ended, as the engine counts it; NaN if it doesn't
 * @param vanished share of those that got a first token and neither ended nor still run; NaN if it
 *     can't be told. Engines that don't count clients that hang up lose requests this way.
 */
record OutsideLost(double aborted, double vanished) {

  static OutsideLost of(ServiceWorld service, Thresholds thresholds) {
    Reading aborts = service.get("abort_share");
    double now = OutsideLine.recent(aborts, service.window(), thresholds.get("recent_seconds"));
    double aborted = Double.isNaN(now) ? aborts.value() : Math.max(aborts.value(), now);
    double least = thresholds.get("symptom_failures_min");
    // Requests within are counted at other moments than those that come and go.
    double apart = Math.sqrt(Math.max(0, service.get("running").or(0)));
    return new OutsideLost(
        beyond(aborted, count(service, "request_rate"), least),
        beyond(
            vanished(service),
            count(service, "request_start_rate"),
            least + thresholds.get("symptom_spreads") * apart));
  }

  private static double count(ServiceWorld service, String rate) {
    return service.get(rate).value() * service.basis().judged().lengthMs() / 1000;
  }

  /** A share, or 0 if it is of fewer requests than chance makes. */
  private static double beyond(double share, double requests, double least) {
    return share * requests < least ? 0 : share;
  }

  /** Began = ended + those that run more than at the window's start + those that vanished. */
  private static double vanished(ServiceWorld service) {
    double began = service.get("request_start_rate").value();
    double ended = service.get("request_rate").value();
    Period window = service.basis().judged();
    Reading running = service.get("running");
    double seconds = window.lengthMs() / 1000.0;
    long edge = window.lengthMs() / 5;
    double atStart =
        OutsideLine.mean(running, window.startMs() - edge / 2, window.startMs() + edge / 2);
    double atEnd = OutsideLine.mean(running, window.endMs() - edge, window.endMs());
    double growth = (atEnd - atStart) / seconds;
    return began > 0 ? (began - ended - (Double.isNaN(growth) ? 0 : growth)) / began : Double.NaN;
  }

  /** The share that is lost one way or the other, 0 if nothing is known. */
  double share() {
    return Math.max(Double.isNaN(aborted) ? 0 : aborted, Double.isNaN(vanished) ? 0 : vanished);
  }
}
