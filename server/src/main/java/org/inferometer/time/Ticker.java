package org.inferometer.time;

/** A monotonic count of nanoseconds for measuring intervals; its origin means nothing. */
@FunctionalInterface
public interface Ticker {
  long nanos();

  /** The machine's monotonic clock. */
  static Ticker system() {
    return System::nanoTime;
  }
}
