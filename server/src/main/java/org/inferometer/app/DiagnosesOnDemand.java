package org.inferometer.app;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Report;
import org.inferometer.query.QueryException;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Makes diagnoses that are asked for: a few at a time, the same one once for all who ask. They are
 * kept for a moment. Thread-safe.
 */
final class DiagnosesOnDemand {
  /** Each asks for hundreds of signals at once. */
  private static final int AT_ONCE_MAX = 2;

  private static final long WAIT_SECONDS_MAX = 10;

  /** Samples come in late, so that the past may change too. */
  private static final long FRESH_NANOS = 10_000_000_000L;

  private static final int KEPT_MAX = 32;

  /** Makes one. */
  interface Maker {
    Report make(Diagnoser.Request request) throws QueryException;
  }

  private final Maker maker;
  private final Ticker ticker;
  private final Semaphore places = new Semaphore(AT_ONCE_MAX, true);
  private final Map<Diagnoser.Request, Kept> kept = new LinkedHashMap<>();

  private record Kept(long sinceNanos, CompletableFuture<Report> report) {
    boolean isGood(long nowNanos) {
      return !report.isCompletedExceptionally() && nowNanos - sinceNanos < FRESH_NANOS;
    }
  }

  DiagnosesOnDemand(Maker maker, Ticker ticker) {
    this.maker = maker;
    this.ticker = ticker;
  }

  Report get(Diagnoser.Request request) throws QueryException {
    CompletableFuture<Report> mine = new CompletableFuture<>();
    CompletableFuture<Report> others = keep(request, mine);
    if (others == null) {
      make(request, mine);
    }
    return join(others == null ? mine : others);
  }

  /** The report that another one makes or has made, or null if it is to be made now. */
  private synchronized @Nullable CompletableFuture<Report> keep(
      Diagnoser.Request request, CompletableFuture<Report> mine) {
    long nowNanos = ticker.nanos();
    kept.values().removeIf(one -> !one.isGood(nowNanos));
    Kept known = kept.get(request);
    if (known != null) {
      return known.report();
    }
    if (kept.size() >= KEPT_MAX) {
      kept.remove(kept.keySet().iterator().next());
    }
    kept.put(request, new Kept(nowNanos, mine));
    return null;
  }

  private void make(Diagnoser.Request request, CompletableFuture<Report> into) {
    boolean hasPlace = false;
    try {
      hasPlace = places.tryAcquire(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
      if (hasPlace) {
        into.complete(maker.make(request));
      } else {
        into.completeExceptionally(
            new QueryException(
                QueryException.Kind.UNAVAILABLE,
                AT_ONCE_MAX + " other diagnoses are being made; try again"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      into.completeExceptionally(canceled());
    } catch (QueryException | RuntimeException e) {
      into.completeExceptionally(e);
    } finally {
      if (hasPlace) {
        places.release();
      }
    }
  }

  private static Report join(CompletableFuture<Report> report) throws QueryException {
    try {
      return report.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw canceled();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case QueryException query -> throw query;
        case RuntimeException bug -> throw bug;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  private static QueryException canceled() {
    return new QueryException(QueryException.Kind.CANCELED, "the diagnosis was given up");
  }
}
