package org.inferometer.benchmarks.diagnosis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.inferometer.config.TargetGroup;
import org.inferometer.config.Urls;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.scrape.PageSource;
import org.inferometer.scrape.ScrapeListener;
import org.inferometer.scrape.ScrapeManager;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.Signals;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.page.Page;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.store.MetadataSource;
import org.inferometer.time.SimulatedTime;
import org.inferometer.time.Ticker;
import org.inferometer.tsdb.Head;
import org.inferometer.tsdb.HeadOptions;

/** A simulated fleet's scrapes in a head, and what diagnoses it there. */
final class LoadedFleet implements AutoCloseable {
  /** Thirty replicas with their GPUs, hosts, gateway and clients. */
  static final String THIRTY =
      """
      title: Thirty replicas behind a gateway
      duration: 75m
      fleet:
        gateway: {name: edge, timeout: 300s}
        replicas:
          - name: llama-8b
            count: 30
            engine: vllm
            release: 0.15.0
            model: llama-3.1-8b
            gpu: H100-SXM
            start: 20s
      workloads:
        - name: chat
          arrivals: {law: poisson, rate: 15}
          prompt: {law: lognormal, median: 500, p95: 2500, max: 6000}
          output: {law: lognormal, median: 100, p95: 300, max: 1000}
          max_tokens: 1024
          prefixes: {root: 400}
      truth:
        cause: healthy
        layer: none
        says: Thirty replicas share the work evenly, and no queue forms.
      """;

  private static final long START_MS = 1_793_491_200_000L;
  private static final long TIMEOUT_MS_MAX = 10_000;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long SEED = 1;

  private final int workers = Runtime.getRuntime().availableProcessors();
  private final ExecutorService pool = Executors.newFixedThreadPool(workers);
  private final Map<String, Endpoint> byUrl = new HashMap<>();
  private final long endMs;
  private final Head head;
  private final LocalQueryService queries;
  private final Catalogue catalogue = Catalogue.builtIn();

  private LoadedFleet(Scenario scenario, long lengthMs, long intervalMs) {
    endMs = START_MS + lengthMs;
    head = new Head(HeadOptions.defaults(), () -> endMs);
    queries =
        new LocalQueryService(
            head,
            MetadataSource.none(),
            EngineOptions.DEFAULT,
            Ticker.system(),
            pool,
            pool,
            workers);
    scrape(Fleet.of(scenario, SEED, START_MS), intervalMs);
  }

  /** An hour and five minutes of thirty replicas, every 15 s. */
  static LoadedFleet thirty() {
    return new LoadedFleet(Scenarios.builtIn().read("thirty", THIRTY), 65 * 60_000L, 15_000);
  }

  /** Half an hour of the demo's fleet, every second. */
  static LoadedFleet demo() {
    return new LoadedFleet(Scenarios.builtIn().get("demo"), 35 * 60_000L, 1_000);
  }

  long endMs() {
    return endMs;
  }

  /** One that knows nothing of the fleet yet. */
  Diagnoser diagnoser() {
    Signals signals =
        new Signals(catalogue, queries, () -> endMs, Ticker.system(), Goals.NONE, Facts.NONE);
    return new Diagnoser(signals, ThresholdSource.BUILT_IN);
  }

  private void scrape(Fleet fleet, long intervalMs) {
    try (SimulatedTime time = new SimulatedTime(START_MS);
        ScrapeManager manager =
            new ScrapeManager(
                head, (url, _) -> page(url), time, time, time, ScrapeListener.none(), SEED)) {
      Map<String, List<Endpoint>> jobs =
          fleet.endpoints().stream().collect(Collectors.groupingBy(Endpoint::job));
      manager.reload(
          jobs.entrySet().stream()
              .map(
                  job ->
                      Urls.job(
                          job.getKey(),
                          intervalMs,
                          Math.min(intervalMs, TIMEOUT_MS_MAX),
                          job.getValue().getFirst().path(),
                          job.getValue().stream().map(this::target).toList()))
              .toList());
      long end = (endMs - START_MS) * NANOS_PER_MS;
      while (time.next() <= end) {
        fleet.runUntil(time.next());
        time.step();
      }
    }
  }

  private TargetGroup target(Endpoint endpoint) {
    byUrl.put("http://" + endpoint.address() + endpoint.path(), endpoint);
    return new TargetGroup(List.of(endpoint.address()), endpoint.labels());
  }

  private PageSource.Answer page(String url) {
    Endpoint endpoint = byUrl.get(url);
    if (endpoint == null) {
      return new PageSource.Refused();
    }
    try {
      Page page = endpoint.page();
      return new PageSource.Page(page.body(), page.length(), page.contentType());
    } catch (Endpoint.NoAnswer e) {
      return new PageSource.Refused();
    }
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
