package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.inferometer.api.DiagnosisSource;
import org.inferometer.config.DiagnosisConfig;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.diagnosis.watch.HeldFinding;
import org.inferometer.diagnosis.watch.HoldRule;
import org.inferometer.diagnosis.watch.Incident;
import org.inferometer.diagnosis.watch.PastIncidents;
import org.inferometer.exposition.ExpositionWriter;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.signals.Signals;
import org.inferometer.store.SampleSink;
import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;

/**
 * The diagnosis as a server has it: looks that come by themselves, kept and stored, and answers to
 * questions. Thread-safe.
 */
final class ServerDiagnosis implements DiagnosisSource, AutoCloseable {
  private static final long END_SECONDS_MAX = 5;

  /** Each takes about a second. */
  private static final int PAST_LOOKS_MAX = 3;

  private final Supplier<Signals> signals;
  private final Supplier<Settings> settings;
  private final BooleanSupplier isReady;
  private final @Nullable FindingSeries series;
  private final WallClock clock;
  private final DiagnosesOnDemand onDemand;
  private final StoredFindings stored;
  private final ContinuousDiagnosis continuous;
  private final FindingLog log = new FindingLog(HoldRule.DEFAULT);
  private final DiagnosisStats stats = new DiagnosisStats();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean isClosed;
  private Pacer.@Nullable Running running;

  /**
   * @param signals those of now; may take a while the first time
   * @param signalsAt those of a time of day
   * @param settings those in force
   * @param isReady whether there is something to look at
   * @param queries asked for findings of the past
   * @param store where findings are kept as series, or null for nowhere
   */
  ServerDiagnosis(
      Supplier<Signals> signals,
      LongFunction<Signals> signalsAt,
      Supplier<Settings> settings,
      BooleanSupplier isReady,
      QueryService queries,
      @Nullable SampleSink store,
      WallClock clock,
      Ticker ticker) {
    this.signals = signals;
    this.settings = settings;
    this.isReady = isReady;
    this.series = store == null ? null : new FindingSeries(store);
    this.clock = clock;
    this.stored = new StoredFindings(queries);
    ThresholdSource thresholds = (service, model) -> settings.get().thresholds().of(service, model);
    this.onDemand =
        new DiagnosesOnDemand(
            request ->
                new Diagnoser(signalsAt.apply(request.window().endMs()), thresholds)
                    .diagnose(request),
            ticker);
    this.continuous =
        new ContinuousDiagnosis(
            this::rhythm,
            request -> new Diagnoser(this.signals.get(), thresholds).diagnose(request),
            log,
            this::store,
            stats,
            clock,
            ticker);
  }

  /** Looks from now on, on threads of a pacer. */
  synchronized void start(Pacer pacer) {
    running = pacer.start("diagnosis", 0, this::turn);
  }

  private long turn() {
    if (isClosed) {
      ended.countDown();
      return Pacer.DONE;
    }
    return continuous.turn();
  }

  private ContinuousDiagnosis.Rhythm rhythm() {
    DiagnosisConfig config = config();
    return new ContinuousDiagnosis.Rhythm(
        config.enabled() && isReady.getAsBoolean(), config.intervalMs(), config.windowMs());
  }

  private DiagnosisConfig config() {
    return settings.get().config().diagnosis();
  }

  private synchronized void store(long timeMs) {
    if (series != null && !isClosed) {
      stats.unstored(series.write(timeMs, log.statuses()));
    }
  }

  @Override
  public Report diagnose(Diagnoser.Request request) throws QueryException {
    return onDemand.get(request);
  }

  @Override
  public FindingLog log() {
    return log;
  }

  @Override
  public List<HeldFinding> findings(long startMs, long endMs) throws QueryException {
    List<HeldFinding> all = new ArrayList<>(log.findings(startMs, endMs));
    all.addAll(before(startMs, endMs));
    return all;
  }

  /** Findings before the first look, which another run of the server left in the store. */
  private List<HeldFinding> before(long startMs, long endMs) throws QueryException {
    long untilMs = Math.min(endMs, log.firstMs() - 1);
    return startMs < untilMs ? stored.read(startMs, untilMs, config().intervalMs()) : List.of();
  }

  @Override
  public List<Incident> incidents(long startMs, long endMs) throws QueryException {
    List<Incident> all = new ArrayList<>(log.incidents(startMs, endMs));
    all.addAll(PastIncidents.of(before(startMs, endMs), this::look, PAST_LOOKS_MAX));
    return all;
  }

  /** What was the matter one window after the beginning, or at the end. */
  private @Nullable Diagnosis look(String service, long startMs, long endMs) {
    long windowMs = config().windowMs();
    try {
      Report report = diagnose(Diagnoser.Request.of(Math.min(endMs, startMs + windowMs), windowMs));
      for (Diagnosis one : report.services()) {
        if (service.equals(one.service())) {
          return one;
        }
      }
      return null;
    } catch (QueryException e) {
      return null; // The findings are told anyway.
    }
  }

  @Override
  public Watching watching() {
    DiagnosisConfig config = config();
    return new Watching(config.enabled(), config.intervalMs(), config.windowMs());
  }

  /** The program's own metrics about it. */
  void write(ExpositionWriter page) {
    stats.write(page, log.held().size());
  }

  /**
   * Waits for the look that is going on, which isn't interrupted: it may write to the store's
   * files. Then ends the series of what holds.
   */
  @Override
  public void close() {
    Pacer.Running looking = end();
    if (looking == null) {
      return;
    }
    looking.wake();
    try {
      ended.await(END_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** After it nothing is written any more. */
  private synchronized Pacer.@Nullable Running end() {
    if (series != null && running != null && !isClosed) {
      series.end(clock.nowMs());
    }
    isClosed = true;
    Pacer.Running looking = running;
    running = null;
    return looking;
  }
}
