package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.OutsideEvidence.number;
import static org.inferometer.diagnosis.cause.OutsideEvidence.seconds;

import java.util.List;
import org.inferometer.diagnosis.finding.Argument;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.EdgeWorld;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;

/**
 * No request arrives and none is inside, for longer than chance would leave a gap between requests.
 * A state rather than a fault: it is upstream, or a holiday.
 */
public final class NoTraffic implements Check {
  @Override
  public String cause() {
    return "no-traffic";
  }

  @Override
  public List<Outcome> examine(ServiceWorld service, Thresholds thresholds) {
    return List.of(outcome(service, thresholds));
  }

  private Outcome outcome(ServiceWorld service, Thresholds thresholds) {
    Period window = service.window();
    Reading ended = service.get("request_rate");
    Reading began = service.get("request_start_rate");
    Reading running = service.get("running");
    Reading waiting = service.get("waiting");
    Argument argument = new Argument(cause());
    argument
        .needsKnown(isKnown(running, window) || isKnown(began, window), running.signal())
        .needsKnown(isKnown(ended, window) || isKnown(began, window), ended.signal());
    if (argument.isOver()) {
      return argument.over();
    }
    Long since = OutsideLine.since(isKnown(began, window) ? began : ended, window, v -> v <= 0);
    double still = since == null ? 0 : (window.endMs() - since) / 1000.0;
    double expected = still * usual(service);
    boolean isWhole = since != null && since <= window.startMs() + window.lengthMs() / 10;
    double enough = thresholds.get("missed_arrivals");
    // The last answers may have ended just now: what is inside is a number of the moment.
    double span = thresholds.get("last_seconds");
    double inside =
        zero(OutsideLine.newest(running, window, span))
            + zero(OutsideLine.newest(waiting, window, span));
    argument
        .needs(
            since != null && (isWhole || expected >= enough),
            Strength.DECISIVE,
            Evidence.of(
                isKnown(began, window) ? began : ended,
                0.0,
                since == null
                    ? "Requests arrive."
                    : "No request has arrived for "
                        + seconds(still)
                        + ", in which "
                        + number(expected)
                        + " were usual."))
        .needs(
            inside <= 0,
            Strength.MODERATE,
            Evidence.of(running, 0.0, number(inside) + " requests are in the engine."));
    for (EdgeWorld edge : service.edges()) {
      edge(argument, edge, window, thresholds);
    }
    return argument.conclude(
        service,
        null,
        null,
        new Effect("request_rate", 1, 0, usual(service), "As many requests would come as before."),
        isWhole && !(usual(service) > 0)
            ? "No request has arrived in all the time that is looked at."
            : "No request has arrived for " + seconds(still) + "; nothing runs and nothing waits.",
        since);
  }

  /** Where something before the engine still has requests, they are lost on the way. */
  private static void edge(
      Argument argument, EdgeWorld edge, Period window, Thresholds thresholds) {
    Reading rate = edge.get("request_rate");
    double now = last(rate, window, thresholds);
    if (!Double.isNaN(now) && edge.others().isEmpty()) {
      argument.needs(
          now <= 0,
          Strength.MODERATE,
          OutsideEvidence.of(
              edge,
              rate,
              0.0,
              now <= 0
                  ? "None arrives at the " + OutsideEvidence.subject(edge) + " either."
                  : "The "
                      + OutsideEvidence.subject(edge)
                      + " has "
                      + number(now)
                      + " requests a second: they don't reach the engine."));
    }
  }

  /** Requests a second before, NaN if that isn't known. */
  private static double usual(ServiceWorld service) {
    Reading ended = service.get("request_rate");
    return Math.max(zero(ended.baseline()), zero(ended.max()));
  }

  private static boolean isKnown(Reading reading, Period window) {
    return !Double.isNaN(OutsideLine.mean(reading, window.startMs(), window.endMs()));
  }

  private static double last(Reading reading, Period window, Thresholds thresholds) {
    return OutsideLine.recent(reading, window, thresholds.get("last_seconds"));
  }

  private static double zero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }
}
