package org.inferometer.app;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a store do what is due, time and again, on a thread of its own: cutting and compacting blocks
 * computes and waits for the disk, neither of which a virtual thread should. Never interrupted, as
 * that would close the files it works on.
 *
 * <p>Reading a log and compacting leave garbage that the serial collector lets lie until the heap
 * is full. So it is asked to collect after such work, which hands the memory back: after reading a
 * log of 50 M samples the heap shrinks from 345 to 91 MB.
 */
final class Maintenance implements AutoCloseable {
  private static final long INTERVAL_MS = 30_000;
  private static final long INTERVAL_MS_MIN = 250;

  /** A turn for so many parts of a new block's stretch, if that is a short one. */
  private static final int TURNS_PER_BLOCK = 60;

  /** Reading a log of this size leaves as much garbage as the heap may keep. */
  private static final long LOG_BYTES_LARGE = 16L * 1024 * 1024;

  private static final Duration END_MAX = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);

  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread;

  private Maintenance(Store store, WallClock clock, long intervalMs) {
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("store-maintenance")
            .unstarted(() -> run(store, clock, intervalMs));
  }

  /**
   * @param blockMs the stretch of time of a new block
   */
  static Maintenance start(Store store, long blockMs, WallClock clock) {
    long interval = Math.clamp(blockMs / TURNS_PER_BLOCK, INTERVAL_MS_MIN, INTERVAL_MS);
    Maintenance maintenance = new Maintenance(store, clock, interval);
    maintenance.thread.start();
    return maintenance;
  }

  private void run(Store store, WallClock clock, long intervalMs) {
    try {
      if (store.stats().walBytes() > LOG_BYTES_LARGE) {
        System.gc();
      }
      while (!end.await(intervalMs, TimeUnit.MILLISECONDS)) {
        long compactions = store.stats().compactions();
        turn(store, clock);
        if (store.stats().compactions() > compactions && intervalMs == INTERVAL_MS) {
          System.gc();
        }
      }
    } catch (InterruptedException e) {
      LOG.warn("maintenance of the store was interrupted");
    }
  }

  private static void turn(Store store, WallClock clock) {
    try {
      store.maintain(clock.nowMs());
    } catch (RuntimeException | InternalError e) { // the latter if a mapped file can't be read
      LOG.error("maintenance of the store failed; it is tried again", e);
    }
  }

  /** Waits for the turn that is going on, within a minute. */
  @Override
  public void close() {
    end.countDown();
    try {
      if (!thread.join(END_MAX)) {
        LOG.warn("maintenance of the store didn't end within {}", END_MAX);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
