package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.inferometer.diagnosis.world.EdgeWorld;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.Readings;
import org.inferometer.diagnosis.world.ServiceWorld;

/**
 * What passes a place in a stretch of time: requests a second, their mean times in seconds, and how
 * many are inside by Little's law. NaN for what isn't known.
 */
record OutsideFlow(
    double rate, double startRate, double ttft, double e2e, double running, double waiting) {

  /** Over the window as a whole. */
  static OutsideFlow window(Readings readings) {
    return of(readings, Reading::value);
  }

  /** Over the baseline. */
  static OutsideFlow before(Readings readings) {
    return of(readings, Reading::baseline);
  }

  /** Over the window's last stretch. */
  static OutsideFlow recent(Readings readings, Period window, double seconds) {
    return of(readings, r -> OutsideLine.recent(r, window, seconds));
  }

  static OutsideFlow of(Readings readings, ToDoubleFunction<Reading> value) {
    return new OutsideFlow(
        value.applyAsDouble(readings.get("request_rate")),
        value.applyAsDouble(readings.get("request_start_rate")),
        value.applyAsDouble(readings.get("ttft_mean")),
        value.applyAsDouble(readings.get("e2e_mean")),
        value.applyAsDouble(readings.get("running")),
        value.applyAsDouble(readings.get("waiting")));
  }

  /** Requests inside: by Little's law or as counted, whichever is more. */
  double inside() {
    double counted = running + zero(waiting);
    double little = rate > 0 ? rate * e2e : Double.NaN;
    return Double.isNaN(little)
        ? counted
        : Double.isNaN(counted) ? little : Math.max(little, counted);
  }

  /** Requests that came, as far as it is known: as many as began or ended. */
  double came() {
    return Double.isNaN(startRate)
        ? rate
        : Double.isNaN(rate) ? startRate : Math.max(rate, startRate);
  }

  /** The flows of several places as one. */
  static OutsideFlow sum(List<OutsideFlow> flows) {
    double rate = 0;
    double start = 0;
    double ttft = 0;
    double e2e = 0;
    double running = 0;
    double waiting = 0;
    for (OutsideFlow flow : flows) {
      double came = zero(flow.came());
      rate += zero(flow.rate);
      start += came;
      ttft += came > 0 ? came * flow.ttft : 0;
      e2e += flow.rate > 0 ? flow.rate * flow.e2e : 0;
      running += zero(flow.running);
      waiting += zero(flow.waiting);
    }
    return new OutsideFlow(rate, start, ttft / start, e2e / rate, running, waiting);
  }

  private static double zero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  /**
   * The engines that an edge sends requests to: the one that is diagnosed, or all, whichever's
   * traffic is nearer to the edge's.
   */
  static OutsideFlow engines(
      ServiceWorld service, EdgeWorld edge, ToDoubleFunction<Reading> value) {
    OutsideFlow own = of(service.readings(), value);
    if (edge.others().isEmpty()) {
      return own;
    }
    List<OutsideFlow> flows = new ArrayList<>(List.of(own));
    edge.others().forEach(other -> flows.add(of(other, value)));
    OutsideFlow all = sum(flows);
    double came = of(edge.readings(), value).came();
    return Math.abs(came - own.came()) <= Math.abs(came - all.came()) ? own : all;
  }
}
