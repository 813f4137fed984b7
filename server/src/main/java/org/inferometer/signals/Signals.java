package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;

/**
 * The services that are watched and their signals, over any {@link QueryService}. What was found is
 * kept for about a second, so that many readers cost one look. Thread-safe.
 */
public final class Signals {
  /** How long the list of services is shown again before it is made anew. */
  private static final long FRESH_NANOS = 1_000_000_000L;

  /** How long what happened to GPUs is shown again before it is looked for anew. */
  private static final long HISTORY_FRESH_NANOS = 15_000_000_000L;

  private final Catalogue catalogue;
  private final WallClock clock;
  private final Goals goals;
  private final Discovery discovery;
  private final SignalQueries queries;
  private final Judge judge;
  private final Cached<Map<String, Binding>> bindings;
  private final Cached<ServiceSnapshot> snapshot;
  private final ColumnQueries columns;
  private @Nullable GpuLook gpuLook;
  private final Cached<GpuHistory> gpuHistory;
  private final Cached<GpuSnapshot> gpus;

  /** Signals of deployments of which nothing was told but goals. */
  public Signals(QueryService queries, WallClock clock, Ticker ticker, Goals goals) {
    this(queries, clock, ticker, goals, Facts.NONE);
  }

  /** Signals with the vocabulary and the dialects that come with the program. */
  public Signals(QueryService queries, WallClock clock, Ticker ticker, Goals goals, Facts facts) {
    this(Catalogue.builtIn(), queries, clock, ticker, goals, facts);
  }

  /** Signals with a vocabulary and dialects of the user's choice. */
  public Signals(
      Catalogue catalogue,
      QueryService queries,
      WallClock clock,
      Ticker ticker,
      Goals goals,
      Facts facts) {
    this.catalogue = catalogue;
    this.clock = clock;
    this.goals = goals;
    this.discovery =
        new Discovery(
            new TargetScan(queries, catalogue.identityLabels()),
            new Recognition(catalogue),
            facts,
            goals);
    Resolver resolver = new Resolver(catalogue.vocabulary());
    ColumnQueries columns = new ColumnQueries(queries);
    this.queries = new SignalQueries(resolver, columns);
    this.judge = new Judge(catalogue, resolver, this.queries, goals);
    this.bindings = new Cached<>(ticker, FRESH_NANOS, () -> discovery.services(clock.nowMs()));
    this.snapshot = new Cached<>(ticker, FRESH_NANOS, this::look);
    this.columns = columns;
    this.gpuHistory = new Cached<>(ticker, HISTORY_FRESH_NANOS, this::lookAtGpuHistory);
    this.gpus = new Cached<>(ticker, FRESH_NANOS, this::lookAtGpus);
  }

  /** What it knows of signals and of who exposes them. */
  public Catalogue catalogue() {
    return catalogue;
  }

  /** All signals there are, in display order. */
  public List<Signal> vocabulary() {
    return catalogue.vocabulary().signals();
  }

  /**
   * The services and how they fare, worst first.
   *
   * @throws QueryException if the source of the series can't answer
   */
  public ServiceSnapshot services() throws QueryException {
    return snapshot.get();
  }

  private ServiceSnapshot look() throws QueryException {
    long now = clock.nowMs();
    Map<String, Binding> found = bindings.get();
    List<Service> services = judge.judge(found.values(), now);
    services.sort(
        Comparator.comparingInt((Service service) -> -service.state().severity())
            .thenComparing(Service::kind)
            .thenComparing(Service::id));
    return new ServiceSnapshot(now, services);
  }

  /**
   * The GPUs with their values in words, and what happened to them in the last hours.
   *
   * @throws QueryException if the source of the series can't answer
   */
  public GpuSnapshot gpus() throws QueryException {
    return gpus.get();
  }

  /** Its tables are read when they are first needed, since many servers watch no GPU. */
  private synchronized GpuLook gpuLook() {
    if (gpuLook == null) {
      Vocabulary vocabulary = catalogue.vocabulary();
      gpuLook = new GpuLook(columns, queries, vocabulary, GpuReference.builtIn(vocabulary));
    }
    return gpuLook;
  }

  /** What takes too long to look for is left out, so that what is known now is told anyway. */
  private GpuHistory lookAtGpuHistory() throws QueryException {
    try {
      return gpuLook().history(bindings.get().values(), clock.nowMs());
    } catch (QueryException e) {
      if (e.kind() == QueryException.Kind.TIMEOUT) {
        return GpuHistory.none();
      }
      throw e;
    }
  }

  private GpuSnapshot lookAtGpus() throws QueryException {
    return gpuLook().look(bindings.get().values(), gpuHistory.get(), clock.nowMs());
  }

  /**
   * The models that the series of each router, gateway or client name, by its id.
   *
   * @throws QueryException if the source of the series can't answer
   */
  public Map<String, Set<String>> modelsBehind() throws QueryException {
    Map<String, Set<String>> models = new TreeMap<>();
    for (Binding binding : bindings.get().values()) {
      if (binding.kind() == ServiceKind.ROUTER) {
        models.put(binding.id(), binding.models());
      }
    }
    return models;
  }

  /**
   * How all targets fared along a stretch of time.
   *
   * @param stepMs at least the time between scrapes
   * @throws QueryException if the source of the series can't answer
   */
  public List<TargetHistory> targets(long startMs, long endMs, long stepMs) throws QueryException {
    return new TargetHistories(columns)
        .look(bindings.get().values(), new SignalBatch(startMs, endMs, stepMs, List.of()));
  }

  /**
   * The usual time between scrapes, the longest of those of engines; of others if there is none.
   *
   * @throws QueryException if the source of the series can't answer
   */
  public long scrapeIntervalMs() throws QueryException {
    long engines = 0;
    long others = 0;
    for (Binding binding : bindings.get().values()) {
      if (binding.kind() == ServiceKind.ENGINE) {
        engines = Math.max(engines, binding.intervalMs());
      } else {
        others = Math.max(others, binding.intervalMs());
      }
    }
    return engines > 0 ? engines : others > 0 ? others : TargetHealth.INTERVAL_DEFAULT_MS;
  }

  /**
   * The signals asked for. What isn't known or isn't there has an absent result with its reason.
   *
   * @throws QueryException if the source of the series can't answer
   */
  public SignalAnswer query(SignalBatch batch) throws QueryException {
    return query(batch, null);
  }

  /**
   * The same with another window for rates than the one that fits the scrapes.
   *
   * @param windowMs null for the one that fits
   */
  public SignalAnswer query(SignalBatch batch, @Nullable Long windowMs) throws QueryException {
    Map<String, Binding> found = bindings.get();
    List<SignalQueries.Question> questions = new ArrayList<>();
    List<SignalResult> results = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (SignalBatch.Request request : batch.requests()) {
      Binding binding = found.get(request.service());
      for (String name : request.signals()) {
        Signal signal = catalogue.vocabulary().find(name);
        if (binding != null && signal != null) {
          places.add(results.size());
          questions.add(question(binding, signal, request, windowMs));
        }
        results.add(unknown(request.service(), name, signal == null));
      }
    }
    List<SignalResult> answers = queries.ask(questions, batch);
    for (int i = 0; i < answers.size(); i++) {
      results.set(places.get(i), answers.get(i));
    }
    return new SignalAnswer(batch.timesMs(), results);
  }

  private SignalQueries.Question question(
      Binding binding, Signal signal, SignalBatch.Request request, @Nullable Long windowMs) {
    Double goal = goals.of(binding.id(), binding.model()).get(signal.name());
    return new SignalQueries.Question(
        binding, signal, request.by(), windowMs, goal, request.buckets());
  }

  private SignalResult unknown(String service, String name, boolean signalUnknown) {
    Signal signal = catalogue.vocabulary().find(name);
    return SignalResult.absent(
        service,
        name,
        signal == null ? "" : signal.unit(),
        signalUnknown ? "there is no such signal" : "there is no such service now");
  }
}
