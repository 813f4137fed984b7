package org.inferometer.check;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.inferometer.scrape.TargetProbe;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Checks targets that a server scrapes, one look at a time for each, and shows what was found for a
 * while, so that many readers cost the target one look. Thread-safe.
 */
public final class CheckedTargets {
  /** How long a report is shown again. */
  private static final long FRESH_NANOS = 30_000_000_000L;

  /** Reports that are kept; beyond it all are made anew. */
  private static final int KEPT_MAX = 1_000;

  /** Finds a target that the server scrapes. */
  @FunctionalInterface
  public interface Targets {
    /**
     * @param target its instance or where it is scraped
     * @param job "" for any
     * @return null if it scrapes no such target
     */
    @Nullable TargetProbe find(String target, String job);
  }

  private final Targets targets;
  private final Supplier<Checker> checker;
  private final Ticker ticker;
  private final Map<String, Kept> kept = new ConcurrentHashMap<>();
  private final Semaphore places = new Semaphore(Checker.AT_A_TIME);

  /**
   * @param checker may take a while the first time
   */
  public CheckedTargets(Targets targets, Supplier<Checker> checker, Ticker ticker) {
    this.targets = targets;
    this.checker = checker;
    this.ticker = ticker;
  }

  /** The last report of a target; its lock is held while one is made. */
  private static final class Kept {
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable EndpointReport report;
    private long madeNanos;
  }

  /**
   * What there is to say of a target.
   *
   * @param target its instance or where it is scraped
   * @param job "" for any
   * @return null if no such target is scraped
   * @throws InterruptedException if the thread is interrupted
   */
  public @Nullable EndpointReport report(String target, String job) throws InterruptedException {
    try (TargetProbe probe = targets.find(target, job)) {
      if (probe == null) {
        return null;
      }
      if (kept.size() > KEPT_MAX) {
        kept.clear();
      }
      String key = probe.labels() + " " + probe.url();
      return report(kept.computeIfAbsent(key, name -> new Kept()), probe);
    }
  }

  private EndpointReport report(Kept known, TargetProbe probe) throws InterruptedException {
    known.lock.lockInterruptibly();
    try {
      EndpointReport report = known.report;
      if (report == null || ticker.nanos() - known.madeNanos >= FRESH_NANOS) {
        report = made(probe);
        known.report = report;
        known.madeNanos = ticker.nanos();
      }
      return report;
    } finally {
      known.lock.unlock();
    }
  }

  private EndpointReport made(TargetProbe probe) throws InterruptedException {
    places.acquire();
    try {
      return checker.get().check(new ProbedEndpoint(probe.url(), probe));
    } finally {
      places.release();
    }
  }
}
