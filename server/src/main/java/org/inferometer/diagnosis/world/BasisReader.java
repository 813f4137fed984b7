package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Service;
import org.inferometer.signals.SignalResult;

/** Gathers what a service's basis is chosen by. */
final class BasisReader {
  /** What may have moved what users feel: how much is asked for, and of what kind. */
  private static final List<String> DRIVERS =
      List.of(
          "request_rate",
          "prompt_token_rate",
          "prompt_length_mean",
          "output_length_mean",
          "cached_prompt_share");

  private final SignalReader reader;
  private final Timelines timelines;
  private final ThresholdSource thresholds;

  BasisReader(SignalReader reader, Timelines timelines, ThresholdSource thresholds) {
    this.reader = reader;
    this.timelines = timelines;
    this.thresholds = thresholds;
  }

  Basis read(Surroundings around, WorldBuilder.Scope scope, long intervalMs, List<Long> restartsMs)
      throws QueryException {
    Service service = around.service();
    Thresholds own = thresholds.of(service.id(), service.model());
    Line traffic = traffic(around);
    long first = timelines.firstMs(List.of(service.id()));
    Period yesterday =
        new Period(
            scope.window().startMs() - BasisChooser.DAY_MS,
            scope.window().endMs() - BasisChooser.DAY_MS);
    BasisChooser.Past past =
        new BasisChooser.Past(
            felt(around, own),
            drivers(service),
            traffic,
            restartsMs,
            first,
            first > timelines.timesMs()[0],
            survivorsMs(service, scope.window()),
            intervalMs,
            rateMs(service),
            reader.traffic(service, yesterday));
    return new BasisChooser(scope.window(), past, own).choose(scope.baseline());
  }

  /**
   * How long only short requests have ended after a start: all that were there before long ones
   * could. 0 if it isn't known.
   */
  private long survivorsMs(Service service, Period window) {
    double mean = timelines.whole(service.id(), "e2e_mean").within(window).mean();
    return Double.isNaN(mean) ? 0 : Math.round(2000 * mean);
  }

  private List<Felt> felt(Surroundings around, Thresholds own) {
    List<Felt> felt = new ArrayList<>();
    add(felt, around.service(), "", own);
    around.edges().forEach(edge -> add(felt, edge, " of " + edge.name(), own));
    return felt;
  }

  private void add(List<Felt> felt, Service service, String of, Thresholds own) {
    // Latencies of a handful of requests jump about and tell no onset.
    double rate = timelines.whole(service.id(), "request_rate").median();
    boolean isFew = rate * rateMs(service) / 1000 < own.get("onset_requests_min");
    for (Felt.Kind kind : Felt.KINDS) {
      Line line = timelines.whole(service.id(), kind.signal());
      if (line.size() > 0 && (!isFew || kind.isMoment())) {
        felt.add(new Felt(kind.signal() + of, line, own.get(kind.scale())));
      }
    }
  }

  private List<Line> drivers(Service service) {
    List<Line> drivers = new ArrayList<>();
    for (String signal : DRIVERS) {
      Line line = timelines.whole(service.id(), signal);
      if (line.size() > 0) {
        drivers.add(line);
      }
    }
    return drivers;
  }

  /** Requests as the engine counts them, else as what stands before it does. */
  private Line traffic(Surroundings around) {
    Line own = timelines.whole(around.service().id(), "request_rate");
    if (own.known().size() > 0) {
      return own;
    }
    for (Service edge : around.edges()) {
      Line line = timelines.whole(edge.id(), "request_rate");
      if (line.known().size() > 0) {
        return line;
      }
    }
    return own;
  }

  /** What rates of late were taken over. */
  private long rateMs(Service service) {
    Timelines.Told told = timelines.find(new Timelines.Key(service.id(), "request_rate", false));
    SignalResult result = told == null ? null : told.result();
    return result == null || result.windowMs() == 0 ? 60_000 : result.windowMs();
  }
}
