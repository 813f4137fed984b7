package org.inferometer.signals;

import java.util.concurrent.locks.ReentrantLock;
import org.inferometer.query.QueryException;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made when it is asked for and kept for a while; whoever asks while it is made
 * waits for it. Kept longer if it takes long to make, so that making it never fills more than half
 * of the time. Thread-safe.
 */
final class Cached<T> {
  /** Makes the value. */
  interface Source<T> {
    T make() throws QueryException;
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Ticker ticker;
  private final long freshNanos;
  private final Source<T> source;
  private @Nullable Made<T> made;

  private record Made<T>(T value, long atNanos, long freshNanos) {}

  Cached(Ticker ticker, long freshNanos, Source<T> source) {
    this.ticker = ticker;
    this.freshNanos = freshNanos;
    this.source = source;
  }

  T get() throws QueryException {
    lock.lock();
    try {
      Made<T> present = made;
      if (present == null || ticker.nanos() - present.atNanos() >= present.freshNanos()) {
        long begin = ticker.nanos();
        T value = source.make();
        long end = ticker.nanos();
        present = new Made<>(value, end, Math.max(freshNanos, end - begin));
        made = present;
      }
      return present.value();
    } finally {
      lock.unlock();
    }
  }
}
