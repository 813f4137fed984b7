package org.inferometer.benchmarks.diagnosis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.inferometer.config.TargetGroup;
import org.inferometer.config.Urls;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.scrape.PageSource;
import org.inferometer.scrape.ScrapeListener;
import org.inferometer.scrape.ScrapeManager;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.Signals;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.page.Page;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.store.MetadataSource;
import org.inferometer.time.SimulatedTime;
import org.inferometer.time.Ticker;
import org.inferometer.tsdb.Head;
import org.inferometer.tsdb.HeadOptions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long one diagnosis takes: 30 replicas with their GPUs, hosts, gateway and clients, a window
 * of five minutes after an hour of scrapes every 15 s in the head.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 5)
@Measurement(iterations = 5, time = 5)
@Fork(1)
public class DiagnosisBenchmark {
  private static final String SCENARIO =
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
  private static final long END_MS = START_MS + 65 * 60_000L;
  private static final long INTERVAL_MS = 15_000;
  private static final long TIMEOUT_MS = 10_000;
  private static final long WINDOW_MS = 300_000;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long SEED = 1;

  private final int workers = Runtime.getRuntime().availableProcessors();
  private final ExecutorService pool = Executors.newFixedThreadPool(workers);
  private final Head head = new Head(HeadOptions.defaults(), () -> END_MS);
  private final Map<String, Endpoint> byUrl = new HashMap<>();
  private final Diagnoser diagnoser =
      new Diagnoser(
          new Signals(
              new LocalQueryService(
                  head,
                  MetadataSource.none(),
                  EngineOptions.DEFAULT,
                  Ticker.system(),
                  pool,
                  pool,
                  workers),
              () -> END_MS,
              Ticker.system(),
              Goals.NONE,
              Facts.NONE),
          ThresholdSource.BUILT_IN);

  @Setup(Level.Trial)
  public void load() {
    Fleet fleet = Fleet.of(Scenarios.builtIn().read("thirty", SCENARIO), SEED, START_MS);
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
                          INTERVAL_MS,
                          TIMEOUT_MS,
                          job.getValue().getFirst().path(),
                          job.getValue().stream().map(this::target).toList()))
              .toList());
      long end = (END_MS - START_MS) * NANOS_PER_MS;
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

  @TearDown(Level.Trial)
  public void close() {
    pool.shutdown();
  }

  @Benchmark
  public Report diagnose() throws QueryException {
    return diagnoser.diagnose(Diagnoser.Request.of(END_MS, WINDOW_MS));
  }
}
