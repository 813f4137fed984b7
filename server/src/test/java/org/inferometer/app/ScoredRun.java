package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.SeriesDiagnosis;
import org.inferometer.query.QueryException;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.fleet.Simulation;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.scenario.Causes;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.store.Queryable;
import org.inferometer.time.Ticker;

/** Simulates a case and has windows of it diagnosed, as somebody would who saw its series only. */
final class ScoredRun {
  /** Of no meaning; so that a run is the same at any time. */
  private static final long START_MS = 1_790_000_000_000L;

  private static final long WINDOW_MS = 300_000;

  private static final double NANOS_PER_MINUTE = 6e10;

  /** Minutes after the onset; sooner a window holds mostly what was before. */
  private static final List<Double> MINUTES = List.of(3.0, 5.0, 8.0);

  /** Minutes of what is healthy, after caches are warm. */
  private static final List<Double> HEALTHY_MINUTES = List.of(7.5, 12.0, 16.0);

  private final ScoredCase one;
  private final Scenario scenario;

  ScoredRun(ScoredCase one) {
    this.one = one;
    this.scenario = one.changed();
  }

  /** What a scraper would have seen until the last look. */
  RecordedSeries series() {
    RecordedSeries series = new RecordedSeries(START_MS);
    Fleet fleet = Fleet.of(scenario, one.seed(), START_MS);
    long untilMs = START_MS + Math.round(lastMinute() * 60_000) + 1;
    new SimulatedHistory(Endpoint::address, this::prepare, one.intervalMs(), one.seed())
        .fill(new Seen(fleet, one.without()), series, untilMs, _ -> {});
    if (!series.isWhole()) {
      throw new IllegalStateException(scenario.name() + " doesn't fit into memory");
    }
    return series;
  }

  /** When a look is whose minutes count from the onset, or from the start of what is healthy. */
  long atMs(double minute) {
    return START_MS + Math.round((isHealthy() ? minute : onsetMinute() + minute) * 60_000);
  }

  List<ScoredWindow> run() throws QueryException {
    RecordedSeries series = series();
    List<ScoredWindow> windows = new ArrayList<>();
    if (isHealthy()) {
      for (double minute : HEALTHY_MINUTES) {
        if (minute * NANOS_PER_MINUTE < scenario.durationNs()) {
          windows.add(look(series, minute, minute, Causes.HEALTHY));
        }
      }
      return windows;
    }
    double onset = onsetMinute();
    if (onset >= HEALTHY_MINUTES.getFirst()) {
      windows.add(look(series, HEALTHY_MINUTES.getFirst(), HEALTHY_MINUTES.getFirst(), "healthy"));
    }
    for (double minute : minutes()) {
      windows.add(look(series, onset + minute, minute, scenario.truth().cause()));
    }
    return windows;
  }

  private boolean isHealthy() {
    return scenario.truth().cause().equals(Causes.HEALTHY);
  }

  private double onsetMinute() {
    return scenario.truth().startNs() / NANOS_PER_MINUTE;
  }

  private List<Double> minutes() {
    double end = scenario.durationNs() / NANOS_PER_MINUTE;
    return MINUTES.stream().filter(minute -> onsetMinute() + minute < end).toList();
  }

  private double lastMinute() {
    double end = scenario.durationNs() / NANOS_PER_MINUTE;
    return Math.min(
        end, isHealthy() ? HEALTHY_MINUTES.getLast() : onsetMinute() + MINUTES.getLast());
  }

  private void prepare(Endpoint endpoint) {
    if (one.missed() > 0) {
      endpoint.knobs().set(Knob.SCRAPE_MISSED, one.missed());
    }
  }

  private ScoredWindow look(Queryable series, double at, double minute, String truth)
      throws QueryException {
    long atMs = START_MS + Math.round(at * 60_000);
    Ticker ticker = Ticker.system();
    long begin = ticker.nanos();
    Report report = SeriesDiagnosis.of(series, atMs, WINDOW_MS);
    double millis = TimeUnit.NANOSECONDS.toMicros(ticker.nanos() - begin) / 1e3;
    return ScoredWindow.of(one, minute, truth, report, millis);
  }

  /** A fleet of which some endpoints aren't scraped. */
  private record Seen(Fleet fleet, Set<String> without) implements Simulation {
    @Override
    public long startMs() {
      return fleet.startMs();
    }

    @Override
    public long now() {
      return fleet.now();
    }

    @Override
    public void runUntil(long ns) {
      fleet.runUntil(ns);
    }

    @Override
    public List<Endpoint> endpoints() {
      return fleet.endpoints().stream().filter(e -> !without.contains(e.job())).toList();
    }
  }
}
