package org.inferometer.app;

import com.google.re2j.PatternSyntaxException;
import io.helidon.webserver.http.HttpService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.inferometer.api.AdminRoutes;
import org.inferometer.api.ApiServer;
import org.inferometer.api.BatchRoutes;
import org.inferometer.api.CheckRoutes;
import org.inferometer.api.DiagnosisRoutes;
import org.inferometer.api.EventRoutes;
import org.inferometer.api.ExemplarRoutes;
import org.inferometer.api.ExplainRoutes;
import org.inferometer.api.FederateRoutes;
import org.inferometer.api.GpuRoutes;
import org.inferometer.api.LanguageRoutes;
import org.inferometer.api.McpRoutes;
import org.inferometer.api.OpenApiRoutes;
import org.inferometer.api.QueryRoutes;
import org.inferometer.api.Readiness;
import org.inferometer.api.RemoteRoutes;
import org.inferometer.api.RequestStats;
import org.inferometer.api.SelectorReader;
import org.inferometer.api.SignalRoutes;
import org.inferometer.api.SimulationRoutes;
import org.inferometer.api.StatusRoutes;
import org.inferometer.api.TargetRoutes;
import org.inferometer.api.Ticks;
import org.inferometer.api.TsdbAdminRoutes;
import org.inferometer.api.UiRoutes;
import org.inferometer.check.CheckedTargets;
import org.inferometer.check.Checker;
import org.inferometer.config.ByteSizes;
import org.inferometer.config.ConfigWriter;
import org.inferometer.config.Durations;
import org.inferometer.model.Labels;
import org.inferometer.model.Regex;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryService;
import org.inferometer.remote.NewestSamples;
import org.inferometer.remote.RemoteReader;
import org.inferometer.remote.WriteReceiver;
import org.inferometer.scrape.HttpFetcher;
import org.inferometer.scrape.ScrapeManager;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Signals;
import org.inferometer.store.SampleSink;
import org.inferometer.store.StoreException;
import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.HeadCardinality;
import org.inferometer.tsdb.HeadStats;
import org.inferometer.tsdb.Store;
import org.inferometer.tsdb.StoreOptions;
import org.inferometer.tsdb.StoreStats;
import org.jspecify.annotations.Nullable;

/**
 * The server with all its parts, made in order, each from those before it: store, scraping,
 * queries, signals, HTTP. Thread-safe.
 */
final class LocalServer implements AutoCloseable {
  private static final long QUERIES_END_SECONDS_MAX = 5;

  /**
   * A fleet that isn't real and is watched like any other.
   *
   * @param readiness says what is done to it before questions can be answered
   */
  record Simulated(SimulationRoutes.Simulation simulation, Readiness readiness) {}

  private final ServeOptions options;
  private final @Nullable Simulated simulated;
  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;
  private final LocalQueryService evaluator;
  private final ReloadStats reloads = new ReloadStats();
  private final StoreOptions storeOptions;
  private final LateStore store = new LateStore();
  private final StoreOpening opening;
  private final HttpFetcher fetcher;
  private final ScrapeManager scrapes;
  private final ExecutorService computing;
  private final ExecutorService evaluators;
  private final CurrentSignals signals;
  private final ServerDiagnosis diagnosis;
  private final Ticks ticks;
  private final List<HttpService> routes;
  private final ApiServer http;
  private volatile Settings settings;
  private volatile @Nullable Maintenance maintenance;

  /**
   * @throws CommandException if the settings can't be used
   */
  LocalServer(ServeOptions options, Console console, WallClock clock, Ticker ticker) {
    this(options, null, console, clock, ticker);
  }

  /**
   * @param simulated null if what it watches is real
   * @throws CommandException if the settings can't be used
   */
  LocalServer(
      ServeOptions options,
      @Nullable Simulated simulated,
      Console console,
      WallClock clock,
      Ticker ticker) {
    this.options = options;
    this.simulated = simulated;
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
    settings = Settings.load(options.urls(), options.configFile());
    ReadOnly.check(options, settings);
    long startMs = clock.nowMs();
    Pacer pacer = Pacer.virtualThreads();

    storeOptions = options.storage().withConfig(settings.storage());
    opening = new StoreOpening(console, ticker, pacer);

    ticks = new Ticks(ticker);
    TargetAnnouncer announcer = new TargetAnnouncer(console, this::title);
    fetcher = new HttpFetcher(ticker, Version.userAgent());
    scrapes =
        new ScrapeManager(
            store,
            fetcher,
            clock,
            ticker,
            pacer,
            (target, timeMs) -> {
              ticks.tick(timeMs);
              announcer.onScrape(target);
            },
            new SecureRandom().nextLong(),
            "localhost");

    int processors = Runtime.getRuntime().availableProcessors();
    computing =
        Executors.newFixedThreadPool(
            processors, Thread.ofPlatform().daemon().name("query-", 0).factory());
    evaluators =
        Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("evaluate-", 0).factory());
    evaluator =
        new LocalQueryService(
            store, scrapes, options.queries(), ticker, evaluators, computing, processors);
    MeasuredQueryService queries = new MeasuredQueryService(evaluator, ticker);
    signals = new CurrentSignals(catalogue -> signals(catalogue, queries, clock));
    diagnosis =
        new ServerDiagnosis(
            signals::get,
            atMs -> signals(signals.get().catalogue(), queries, () -> atMs),
            () -> settings,
            () -> waitsFor() == null,
            queries,
            storeOptions.isReadOnly() ? null : store,
            clock,
            ticker);

    RequestStats requests = new RequestStats();
    SelfMetrics metrics =
        new SelfMetrics(
            startMs,
            store::ifOpen,
            storeOptions,
            scrapes.stats(),
            queries,
            requests,
            reloads,
            diagnosis::write);
    List<HttpService> always =
        List.of(
            new QueryRoutes(queries, SelectorReader.promql(), clock),
            new BatchRoutes(queries),
            new ExplainRoutes(queries, clock),
            new ExemplarRoutes(store::exemplars, options.queries().language()),
            new FederateRoutes(
                new NewestSamples(store, options.queries().lookback().toMillis()),
                queries,
                SelectorReader.promql(),
                this::externalLabels,
                clock),
            new RemoteRoutes(
                options.web().remoteWriteReceiver() ? new WriteReceiver(store) : null,
                new RemoteReader(store),
                this::externalLabels),
            new LanguageRoutes(options.queries().language()),
            new OpenApiRoutes(),
            new SignalRoutes(signals::get),
            new GpuRoutes(signals::get),
            new DiagnosisRoutes(diagnosis, clock),
            new McpRoutes(Version.text(), signals::get, diagnosis, queries, clock),
            new CheckRoutes(
                new CheckedTargets(
                    (target, job) -> scrapes.probe(target, job, fetcher), this::checker, ticker)),
            new TargetRoutes(scrapes::targets, scrapes::droppedTargets, signals::get),
            new StatusRoutes(new Status(startMs)),
            new TsdbAdminRoutes(
                options.web().adminApi() ? new StoreAdmin(store) : null, SelectorReader.promql()),
            new EventRoutes(ticks),
            new AdminRoutes(this::reload, metrics),
            new UiRoutes());
    routes = simulated == null ? always : with(simulated, always);
    http = new ApiServer(webSettings(), routes, requests, ticker);
  }

  private Signals signals(Catalogue catalogue, QueryService queries, WallClock at) {
    return new Signals(
        catalogue,
        queries,
        at,
        ticker,
        (_, model) -> settings.goalsOf(model),
        (_, model) -> settings.factsOf(model));
  }

  /** The routes of the pages come last, as they answer whatever is left. */
  private static List<HttpService> with(Simulated simulated, List<HttpService> others) {
    List<HttpService> all = new ArrayList<>();
    all.add(new SimulationRoutes(simulated.simulation()));
    all.addAll(others);
    return List.copyOf(all);
  }

  private Checker checker() {
    return new Checker(
        signals.get().catalogue(),
        (_, model) -> settings.goalsOf(model),
        (_, model) -> settings.factsOf(model),
        clock,
        ticker,
        Thread::sleep,
        Checker.WAIT_MS);
  }

  private ApiServer.Settings webSettings() {
    String origins = options.web().corsOrigin();
    try {
      if (origins != null) {
        Regex.compile(origins);
      }
    } catch (PatternSyntaxException e) {
      throw CommandException.badInput(
          "--web.cors.origin: expected a regular expression of RE2: " + e.getDescription());
    }
    return new ApiServer.Settings(
        options.listen(), options.allowedHosts(), origins, this::waitsFor);
  }

  private Labels externalLabels() {
    return Labels.of(settings.config().externalLabels());
  }

  private @Nullable String waitsFor() {
    if (store.ifOpen() == null) {
      return opening.told();
    }
    return simulated == null ? null : simulated.readiness().waitsFor();
  }

  /** What a target was recognised as, or null. */
  private @Nullable String title(String instance, String job) {
    return ServiceTitle.of(signals.get(), instance, job);
  }

  /**
   * Listens and scrapes from now on.
   *
   * @throws CommandException if the address can't be listened on
   */
  LocalServer start() {
    boolean hasOwn = !settings.dialects().isEmpty();
    if (hasOwn) {
      startSignals(); // They may be wrong, which is told before anything else is done.
    }
    listen();
    openStore();
    if (!hasOwn) {
      startSignals(); // It takes as long as all the rest, and the first queries don't need them.
    }
    apply(settings);
    diagnosis.start(Pacer.platformThreads());
    return this;
  }

  private void startSignals() {
    try {
      signals.start(settings.dialects(), computing);
    } catch (CommandException e) {
      close();
      throw e;
    }
  }

  private void listen() {
    try {
      http.start();
    } catch (IOException e) {
      close();
      InetSocketAddress address = options.listen();
      throw CommandException.failed(
          "can't listen on "
              + address.getAddress().getHostAddress()
              + ":"
              + address.getPort()
              + ": "
              + e.getMessage()
              + "; another address can be given with --listen HOST:PORT",
          e);
    }
  }

  /** May take a while: the logs of a store that wasn't closed are read. */
  private void openStore() {
    try {
      Store opened = opening.open(storeOptions, clock);
      store.open(opened);
      if (!storeOptions.isReadOnly()) {
        maintenance = Maintenance.start(opened, storeOptions.blockMs(), clock);
      }
    } catch (StoreException e) {
      close();
      throw CommandException.failed(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * @throws CommandException if its dialect files are wrong; then nothing has changed
   */
  private synchronized void apply(Settings next) {
    signals.change(next.dialects());
    scrapes.reload(next.scrapes());
    evaluator.setSubqueryStep(Duration.ofMillis(next.config().evaluationIntervalMs()));
    settings = next;
    reloads.good(clock.nowMs());
    next.notes().forEach(console::say);
  }

  /**
   * Reads the config file again, all or nothing.
   *
   * @return what is wrong, the old settings staying in force; or null
   */
  synchronized @Nullable String reload() {
    try {
      Settings next = Settings.load(options.urls(), options.configFile());
      if (!next.storage().equals(settings.storage())) {
        console.say("storage settings changed; they take effect at the next start");
      }
      apply(next);
      return null;
    } catch (CommandException | IllegalArgumentException e) {
      reloads.bad();
      return String.valueOf(e.getMessage());
    }
  }

  /** All routes that are answered, in the order they are tried. */
  List<HttpService> routes() {
    return routes;
  }

  int port() {
    return http.port();
  }

  /** Where samples go; open once it was started. */
  SampleSink samples() {
    return store;
  }

  int targetCount() {
    return scrapes.targets().size();
  }

  /** Stops taking requests, then samples, then everything, the store last. */
  @Override
  public void close() {
    ticks.close();
    http.stop();
    diagnosis.close();
    scrapes.close();
    fetcher.close();
    evaluators.shutdownNow();
    computing.shutdownNow();
    Maintenance running = maintenance;
    if (running != null) {
      running.close();
    }
    closeStore();
  }

  private void closeStore() {
    Store open = store.ifOpen();
    if (open == null) {
      return;
    }
    awaitQueries();
    try {
      open.close();
    } catch (StoreException e) {
      console.problem("the data wasn't closed cleanly: " + e.getMessage());
    }
  }

  /** Queries were told to end; they read the store's files until they have. */
  private void awaitQueries() {
    try {
      if (!evaluators.awaitTermination(QUERIES_END_SECONDS_MAX, TimeUnit.SECONDS)
          || !computing.awaitTermination(QUERIES_END_SECONDS_MAX, TimeUnit.SECONDS)) {
        console.say("queries are still running");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What the status routes tell. */
  private final class Status implements StatusRoutes.Server {
    private final long startMs;

    Status(long startMs) {
      this.startMs = startMs;
    }

    @Override
    public String version() {
      return Version.text();
    }

    @Override
    public long startMs() {
      return startMs;
    }

    @Override
    public Map<String, String> flags() {
      Map<String, String> flags = new TreeMap<>();
      InetSocketAddress listen = options.listen();
      flags.put("listen", listen.getAddress().getHostAddress() + ":" + listen.getPort());
      EngineOptions queries = options.queries();
      flags.put("enable-feature", String.join(",", QueryLimits.features(queries)));
      flags.put("query.lookback-delta", duration(queries.lookback()));
      flags.put("query.max-concurrency", Integer.toString(queries.maxConcurrency()));
      flags.put("query.max-samples", Long.toString(queries.maxSamples()));
      flags.put("query.max-series", Integer.toString(queries.maxSeries()));
      flags.put("query.timeout", duration(queries.timeout()));
      flags.put("retention", retentionTime());
      flags.put("data", storeOptions.folder().toString());
      flags.put("read-only", Boolean.toString(storeOptions.isReadOnly()));
      flags.put("allow-host", String.join(",", options.allowedHosts()));
      flags.put("config", options.configFile() == null ? "" : options.configFile().toString());
      putPrometheusNames(flags);
      return flags;
    }

    /** The same, and fixed limits, by the names that clients of Prometheus look for. */
    private void putPrometheusNames(Map<String, String> flags) {
      flags.put("web.listen-address", flags.getOrDefault("listen", ""));
      flags.put("config.file", flags.getOrDefault("config", ""));
      flags.put("storage.tsdb.path", storeOptions.folder().toString());
      flags.put("storage.tsdb.retention.time", retentionTime());
      flags.put("storage.tsdb.retention.size", ByteSizes.format(storeOptions.retentionBytes()));
      flags.put("storage.tsdb.min-block-duration", Durations.format(storeOptions.blockMs()));
      flags.put("storage.tsdb.max-block-duration", Durations.format(storeOptions.blockMsMax()));
      flags.put(
          "storage.tsdb.wal-segment-size", ByteSizes.format(storeOptions.wal().segmentBytes()));
      flags.put("storage.tsdb.wal-compression", Boolean.toString(storeOptions.wal().compress()));
      flags.put("storage.tsdb.no-lockfile", "false");
      flags.put("web.enable-lifecycle", "true");
      flags.put("web.enable-admin-api", Boolean.toString(options.web().adminApi()));
      String origins = options.web().corsOrigin();
      flags.put("web.cors.origin", origins == null ? "" : origins);
      flags.put(
          "web.enable-remote-write-receiver",
          Boolean.toString(options.web().remoteWriteReceiver()));
    }

    @Override
    public String config() {
      return ConfigWriter.write(settings.config());
    }

    @Override
    public long nowMs() {
      return clock.nowMs();
    }

    @Override
    public StatusRoutes.Store store() {
      HeadStats stats = store.get().headStats();
      return new StatusRoutes.Store(
          stats.series(),
          stats.labelPairs(),
          stats.chunks(),
          stats.minMs(),
          stats.maxMs(),
          limit -> cardinality(store.get().cardinality(limit)));
    }

    @Override
    public @Nullable String waitsFor() {
      return LocalServer.this.waitsFor();
    }

    @Override
    public boolean isSimulation() {
      return simulated != null;
    }

    @Override
    public StatusRoutes.Health health() {
      Store open = store.ifOpen();
      if (open == null) {
        return StatusRoutes.Health.unopened(storeOptions.isReadOnly());
      }
      StoreStats stats = open.stats();
      return new StatusRoutes.Health(
          storeOptions.isReadOnly(),
          stats.minMs(),
          stats.maxMs(),
          stats.corruptions(),
          stats.trouble());
    }

    private static StatusRoutes.Cardinality cardinality(HeadCardinality head) {
      return new StatusRoutes.Cardinality(
          counts(head.seriesByMetric()),
          counts(head.valuesByLabel()),
          counts(head.valueBytesByLabel()),
          counts(head.seriesByPair()));
    }

    private static List<StatusRoutes.Count> counts(List<HeadCardinality.Count> counts) {
      return counts.stream()
          .map(count -> new StatusRoutes.Count(count.name(), count.count()))
          .toList();
    }

    private static String duration(Duration duration) {
      return Durations.format(duration.toMillis());
    }

    @Override
    public long lastConfigMs() {
      return reloads.lastGoodMs();
    }

    @Override
    public boolean lastConfigGood() {
      return reloads.lastGood();
    }

    private String retentionTime() {
      return Durations.format(storeOptions.retentionMs());
    }

    @Override
    public String retention() {
      long bytes = storeOptions.retentionBytes();
      return bytes == 0 ? retentionTime() : retentionTime() + " or " + ByteSizes.format(bytes);
    }
  }
}
