package org.inferometer.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.inferometer.check.Pause;
import org.inferometer.config.Urls;
import org.inferometer.scrape.FailureReason;
import org.inferometer.scrape.TargetProbe;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;

/**
 * Asks endpoints for their pages again and again for a while. It only reads. Thread-safe is {@link
 * #stop} alone.
 */
final class SnapshotTaker {
  /** Rates need two scrapes; with a dozen a short peak is seen as one. */
  private static final int SCRAPES_WANTED = 12;

  private static final long INTERVAL_MS_MIN = 1_000;
  private static final long INTERVAL_MS_MAX = 5_000;

  /** Of a long stretch, so that it fits into memory. */
  private static final int SCRAPES_MAX = 720;

  private static final int AT_A_TIME = 32;

  /** Of all pages, compressed; what is beyond isn't taken. */
  private static final long BYTES_MAX = 256L << 20;

  private final Console console;
  private final WallClock clock;
  private final ProgressLines progress;
  private final Pause pause;
  private volatile boolean isStopped;
  private volatile boolean isWaiting;
  private volatile Thread thread = Thread.currentThread();

  SnapshotTaker(Console console, WallClock clock, Ticker ticker, Pause pause) {
    this.console = console;
    this.clock = clock;
    this.progress = new ProgressLines(console, ticker);
    this.pause = pause;
  }

  /** From scrape to scrape, for a stretch of so long. */
  static long intervalMs(long forMs) {
    long wanted = Math.clamp(forMs / SCRAPES_WANTED, INTERVAL_MS_MIN, INTERVAL_MS_MAX);
    return Math.min(Math.max(wanted, forMs / SCRAPES_MAX), Math.max(1, forMs));
  }

  /** Ends it as soon as what was asked for has come. */
  void stop() {
    isStopped = true;
    if (isWaiting) {
      thread.interrupt();
    }
  }

  /** A target, and the path that gave metrics. */
  private static final class Asked {
    private final int index;
    private final TargetProbe probe;
    private List<String> paths;

    Asked(int index, TargetProbe probe) {
      this.index = index;
      this.probe = probe;
      Set<String> all = new LinkedHashSet<>(List.of(probe.path()));
      if (!probe.config().probePaths().isEmpty()) {
        all.addAll(Urls.USUAL_PATHS);
      }
      this.paths = List.copyOf(all);
    }
  }

  /**
   * The scrapes of all targets over a stretch of time, at least two of each unless it is stopped.
   *
   * @throws InterruptedException if the thread is interrupted other than by {@link #stop}
   */
  List<Snapshot.Scrape> take(List<TargetProbe> probes, long forMs) throws InterruptedException {
    thread = Thread.currentThread();
    List<Asked> asked = new ArrayList<>();
    for (TargetProbe probe : probes) {
      asked.add(new Asked(asked.size(), probe));
    }
    List<Snapshot.Scrape> scrapes = new ArrayList<>();
    long intervalMs = intervalMs(forMs);
    long startMs = clock.nowMs();
    long bytes = 0;
    progress.begin();
    for (long round = 0; round == 0 || round * intervalMs <= forMs && !isStopped; round++) {
      if (!awaits(startMs + round * intervalMs)) {
        break;
      }
      List<Snapshot.Scrape> taken = round(asked);
      scrapes.addAll(taken);
      bytes += taken.stream().mapToLong(SnapshotTaker::bytes).sum();
      if (bytes > BYTES_MAX) {
        console.say("more than " + Amounts.bytes(BYTES_MAX) + " of pages; it ends here");
        break;
      }
      tell(probes.size(), round * intervalMs, forMs);
      // Rounds that took longer than the interval aren't made up for.
      round = Math.max(round, (clock.nowMs() - startMs) / intervalMs);
    }
    scrapes.sort(
        Comparator.comparingLong(Snapshot.Scrape::timeMs)
            .thenComparingInt(Snapshot.Scrape::target));
    return scrapes;
  }

  private static long bytes(Snapshot.Scrape scrape) {
    Snapshot.Packed page = scrape.page();
    return page == null ? 0 : page.gzip().length;
  }

  private void tell(int targets, long doneMs, long forMs) {
    if (progress.isDue()) {
      progress.say(
          "scraped %s for %s of %s"
              .formatted(
                  Amounts.count(targets, "target"),
                  Amounts.duration(doneMs),
                  Amounts.duration(forMs)),
          doneMs,
          forMs);
    }
  }

  /** Waits until a time. False if it was stopped meanwhile. */
  private boolean awaits(long timeMs) throws InterruptedException {
    long waitMs = timeMs - clock.nowMs();
    if (waitMs <= 0) {
      return true;
    }
    try {
      isWaiting = true;
      pause.pause(waitMs);
      return true;
    } catch (InterruptedException e) {
      if (isStopped) {
        return false;
      }
      throw e;
    } finally {
      isWaiting = false;
    }
  }

  /** Each target once. */
  private List<Snapshot.Scrape> round(List<Asked> all) throws InterruptedException {
    Semaphore places = new Semaphore(AT_A_TIME);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Snapshot.Scrape>> tasks = new ArrayList<>();
      for (Asked asked : all) {
        tasks.add(
            () -> {
              places.acquire();
              try {
                return scrape(asked);
              } finally {
                places.release();
              }
            });
      }
      List<Snapshot.Scrape> scrapes = new ArrayList<>();
      for (Future<Snapshot.Scrape> future : threads.invokeAll(tasks)) {
        scrapes.add(future.get());
      }
      return scrapes;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a scrape failed", e.getCause());
    }
  }

  private Snapshot.Scrape scrape(Asked asked) throws InterruptedException {
    Snapshot.Scrape failed = null;
    for (String path : asked.paths) {
      long timeMs = clock.nowMs();
      switch (asked.probe.fetch(path)) {
        case TargetProbe.Page page -> {
          asked.paths = List.of(path);
          return new Snapshot.Scrape(
              asked.index,
              timeMs,
              page.seconds(),
              false,
              page.contentType(),
              Snapshot.Packed.of(page.body()),
              "");
        }
        case TargetProbe.Failure failure -> {
          boolean isLate = failure.reason() == FailureReason.TIMEOUT;
          double seconds = isLate ? asked.probe.timeoutMs() / 1000.0 : 0;
          if (failed == null) {
            failed =
                new Snapshot.Scrape(
                    asked.index, timeMs, seconds, isLate, null, null, failure.sentence());
          }
        }
      }
    }
    if (failed == null) {
      throw new IllegalStateException("expected a path for each target");
    }
    return failed;
  }

  /** The targets as a snapshot has them. */
  static List<Snapshot.Target> targets(List<TargetProbe> probes) {
    return probes.stream()
        .map(
            probe -> {
              Map<String, String> labels = new java.util.TreeMap<>();
              probe.labels().forEach((name, value) -> labels.put(name, Redaction.url(value)));
              return new Snapshot.Target(
                  Redaction.url(probe.url()), labels, probe.config().honorLabels());
            })
        .toList();
  }
}
