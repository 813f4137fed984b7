package org.inferometer.diagnosis.cause;

import java.util.function.ToDoubleFunction;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.EdgeWorld;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.Readings;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/**
 * The time that a request spends between two places that measure it, by two identities: the first
 * token's time outside less the one inside, and the requests in flight outside less those inside,
 * through the rate (Little's law). Seconds; NaN for what isn't known.
 *
 * @param firstToken by the times to the first token
 * @param total by the requests in flight; negative if there are more inside
 * @param outerTtft the time to the first token as the outer place measures it
 * @param outerE2e the total latency as the outer place measures it
 * @param isRecent whether it was measured over the end of the window rather than over all of it
 */
record OutsideGap(
    double firstToken, double total, double outerTtft, double outerE2e, boolean isRecent) {

  /** The time lost between the places, as both identities have it; NaN if neither is known. */
  double seconds() {
    return Double.isNaN(firstToken)
        ? total
        : Double.isNaN(total) ? firstToken : Math.min(firstToken, total);
  }

  /**
   * The share of the outer place's time to the first token, or of its total, that is lost. While
   * times grow, those that have ended tell of less than those whose first token has just come.
   */
  double share() {
    double whole = Double.isNaN(outerTtft) ? outerE2e : outerTtft;
    return seconds() / (outerE2e < whole ? outerE2e : whole);
  }

  /** Between an edge and its engines, over the window or over its end, where more is lost. */
  static OutsideGap toEngines(ServiceWorld service, EdgeWorld edge, Thresholds thresholds) {
    return worse(service, thresholds, edge, null);
  }

  /** Between two edges, over the window or over its end, where more is lost. */
  static OutsideGap between(
      ServiceWorld service, EdgeWorld outer, EdgeWorld inner, Thresholds thresholds) {
    return worse(service, thresholds, outer, inner);
  }

  /** What was lost between an edge and its engines before, by the same identities. */
  static OutsideGap before(ServiceWorld service, EdgeWorld edge, Thresholds thresholds) {
    return of(service, edge, null, Reading::baseline, thresholds, false);
  }

  private static OutsideGap worse(
      ServiceWorld service, Thresholds thresholds, EdgeWorld outer, @Nullable EdgeWorld inner) {
    Period window = service.window();
    double span = thresholds.get("recent_seconds");
    OutsideGap whole = of(service, outer, inner, Reading::value, thresholds, false);
    OutsideGap end =
        of(service, outer, inner, r -> OutsideLine.recent(r, window, span), thresholds, true);
    return Double.isNaN(whole.seconds()) || end.seconds() > whole.seconds() ? end : whole;
  }

  private static OutsideGap of(
      ServiceWorld service,
      EdgeWorld outer,
      @Nullable EdgeWorld inner,
      ToDoubleFunction<Reading> value,
      Thresholds thresholds,
      boolean isRecent) {
    OutsideFlow outside = OutsideFlow.of(outer.readings(), value);
    OutsideFlow inside =
        inner == null
            ? OutsideFlow.engines(service, outer, value)
            : OutsideFlow.of(inner.readings(), value);
    double outerFailing = failures(outer.readings(), value);
    double innerFailing = inner == null ? 0 : failures(inner.readings(), value);
    boolean isSameTraffic =
        outside.came() * (1 - outerFailing)
            <= inside.came() * thresholds.get("same_traffic_factor");
    boolean isFailing = Math.max(outerFailing, innerFailing) > thresholds.get("failed_share");
    double firstToken = isSameTraffic ? outside.ttft() - inside.ttft() : Double.NaN;
    double total =
        isSameTraffic && !isFailing
            ? (outside.rate() * outside.e2e() - inside.inside()) / outside.rate()
            : Double.NaN;
    return new OutsideGap(firstToken, total, outside.ttft(), outside.e2e(), isRecent);
  }

  /** The share of requests that fail, 0 if it isn't known. */
  private static double failures(Readings readings, ToDoubleFunction<Reading> value) {
    double share = value.applyAsDouble(readings.get("error_share"));
    return Double.isNaN(share) ? 0 : share;
  }
}
