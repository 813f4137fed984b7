package org.inferometer.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.inferometer.api.DiagnosisSource;
import org.inferometer.config.DiagnosisConfig;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.diagnosis.watch.HoldRule;
import org.inferometer.exposition.ExpositionWriter;
import org.inferometer.query.QueryException;
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

  private final Supplier<Signals> signals;
  private final Supplier<Settings> settings;
  private final BooleanSupplier isReady;
  private final @Nullable FindingSeries series;
  private final WallClock clock;
  private final DiagnosesOnDemand onDemand;
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
   * @param store where findings are kept as series, or null for nowhere
   */
  ServerDiagnosis(
      Supplier<Signals> signals,
      LongFunction<Signals> signalsAt,
      Supplier<Settings> settings,
      BooleanSupplier isReady,
      @Nullable SampleSink store,
      WallClock clock,
      Ticker ticker) {
    this.signals = signals;
    this.settings = settings;
    this.isReady = isReady;
    this.series = store == null ? null : new FindingSeries(store);
    this.clock = clock;
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
