package org.inferometer.scrape;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Closes what isn't done in time. A time limit on each read wouldn't stop a target that sends a
 * byte a second. Thread-safe.
 */
final class Deadlines {
  private final ScheduledThreadPoolExecutor timer;

  Deadlines() {
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("scrape-deadlines").factory());
    timer.setRemoveOnCancelPolicy(true);
  }

  /** A deadline that is kept or passed. */
  final class Deadline implements AutoCloseable {
    private final AtomicBoolean passed = new AtomicBoolean();
    private final ScheduledFuture<?> future;

    Deadline(long ms, Closeable victim) {
      future =
          timer.schedule(
              () -> {
                passed.set(true);
                closeQuietly(victim);
              },
              ms,
              TimeUnit.MILLISECONDS);
    }

    boolean hasPassed() {
      return passed.get();
    }

    @Override
    public void close() {
      future.cancel(false);
    }
  }

  /** Closes the victim after so long, unless the deadline is closed before. */
  Deadline start(long ms, Closeable victim) {
    return new Deadline(ms, victim);
  }

  void stop() {
    timer.shutdownNow();
  }

  static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      // It is given up anyway.
      return;
    }
  }
}
