package org.inferometer.api;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.inferometer.time.Ticker;

/** Tells waiting readers that new samples came in. Thread-safe. */
public final class Ticks {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Ticker ticker;
  private long count;
  private long latestMs;
  private boolean closed;

  public Ticks(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Samples up to this time are there. */
  public void tick(long timeMs) {
    lock.lock();
    try {
      count++;
      latestMs = Math.max(latestMs, timeMs);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Lets all readers go, now and from now on. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * What a reader has seen.
   *
   * @param count ticks so far
   * @param latestMs the latest time of them
   */
  record Seen(long count, long latestMs, boolean closed) {}

  Seen now() {
    lock.lock();
    try {
      return new Seen(count, latestMs, closed);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a tick after those seen, or for the time to pass. */
  Seen await(Seen seen, Duration longest) throws InterruptedException {
    long deadline = ticker.nanos() + longest.toNanos();
    lock.lock();
    try {
      while (count == seen.count && !closed) {
        long left = deadline - ticker.nanos();
        if (left <= 0 || changed.awaitNanos(left) <= 0) {
          break;
        }
      }
      return new Seen(count, latestMs, closed);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the time to pass, or for the end. */
  void pause(Duration time) throws InterruptedException {
    long left = time.toNanos();
    lock.lock();
    try {
      while (left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
