package org.inferometer.app;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.query.QueryException;
import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for causes time and again. Turns come in a fixed rhythm; those that come due while one is
 * going on are left out. Not thread-safe: its turns follow one another.
 */
final class ContinuousDiagnosis implements Pacer.Task {
  private static final Logger LOG = LoggerFactory.getLogger(ContinuousDiagnosis.class);

  /** How often it is looked whether it was switched on. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What is in force. */
  record Rhythm(boolean enabled, long intervalMs, long windowMs) {}

  /** Looks once. */
  interface Looking {
    Report look(Diagnoser.Request request) throws QueryException;
  }

  private final Supplier<Rhythm> rhythm;
  private final Looking looking;
  private final FindingLog log;
  private final LongConsumer after;
  private final DiagnosisStats stats;
  private final WallClock clock;
  private final Ticker ticker;
  private long lastMs = Long.MIN_VALUE;
  private String toldFailure = "";

  /**
   * @param rhythm is asked at each turn
   * @param after is given the time of each look once the log has it
   */
  ContinuousDiagnosis(
      Supplier<Rhythm> rhythm,
      Looking looking,
      FindingLog log,
      LongConsumer after,
      DiagnosisStats stats,
      WallClock clock,
      Ticker ticker) {
    this.rhythm = rhythm;
    this.looking = looking;
    this.log = log;
    this.after = after;
    this.stats = stats;
    this.clock = clock;
    this.ticker = ticker;
  }

  @Override
  public long turn() {
    Rhythm now = rhythm.get();
    if (!now.enabled()) {
      return IDLE_NANOS;
    }
    long begin = ticker.nanos();
    look(now);
    long tookNanos = ticker.nanos() - begin;
    long intervalNanos = TimeUnit.MILLISECONDS.toNanos(now.intervalMs());
    long missed = tookNanos / intervalNanos;
    if (missed > 0) {
      stats.skipped(missed);
      LOG.warn(
          "looking for causes took {}, longer than its interval of {}: {} left out",
          Amounts.duration(TimeUnit.NANOSECONDS.toMillis(tookNanos)),
          Amounts.duration(now.intervalMs()),
          missed == 1 ? "a look is" : missed + " looks are");
    }
    return (missed + 1) * intervalNanos - tookNanos;
  }

  private void look(Rhythm now) {
    long timeMs = clock.nowMs();
    if (timeMs <= lastMs) {
      return; // The clock was set back.
    }
    long begin = ticker.nanos();
    try {
      Report report = looking.look(Diagnoser.Request.of(timeMs, now.windowMs()));
      log.take(timeMs, report);
      lastMs = timeMs;
      stats.took(ticker.nanos() - begin);
      toldFailure = "";
      after.accept(timeMs);
    } catch (QueryException | RuntimeException e) {
      failed(e);
    }
  }

  /** The same failure again is counted, not told. */
  private void failed(Exception e) {
    stats.failed();
    String failure = String.valueOf(e);
    if (!failure.equals(toldFailure)) {
      toldFailure = failure;
      switch (e) {
        case QueryException query ->
            LOG.warn("looking for causes failed; it is tried again: {}", query.getMessage());
        default -> LOG.error("looking for causes failed; it is tried again", e);
      }
    }
  }
}
