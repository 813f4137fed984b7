package org.inferometer.scrape;

import java.util.concurrent.atomic.AtomicLong;

/** A number of bytes that many share, so that all bodies together have a limit. Thread-safe. */
final class MemoryBudget {
  private final AtomicLong free;

  MemoryBudget(long bytes) {
    free = new AtomicLong(bytes);
  }

  /** A quarter of the heap. */
  static MemoryBudget ofHeap() {
    return new MemoryBudget(Runtime.getRuntime().maxMemory() / 4);
  }

  /** Takes bytes; false, and none taken, if there aren't so many. */
  boolean take(long bytes) {
    long left = free.addAndGet(-bytes);
    if (left < 0) {
      free.addAndGet(bytes);
      return false;
    }
    return true;
  }

  void give(long bytes) {
    free.addAndGet(bytes);
  }

  long free() {
    return free.get();
  }
}
