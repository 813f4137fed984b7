package org.inferometer.query;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the samples that a query holds in memory and stops it at the limit. Thread-safe. */
final class SampleBudget {
  private final long limit;
  private final AtomicLong held = new AtomicLong();

  SampleBudget(long limit) {
    this.limit = limit;
  }

  void acquire(long samples) {
    if (held.addAndGet(samples) > limit) {
      throw exceeded();
    }
  }

  void release(long samples) {
    held.addAndGet(-samples);
  }

  /**
   * A count to come back to with {@link #settle}: while one node of the tree is evaluated, its
   * inputs add up; once it is done, only its result is held.
   */
  long mark() {
    return held.get();
  }

  void settle(long mark, long samples) {
    held.set(mark);
    acquire(samples);
  }

  /**
   * Prometheus's words, which clients know; the documentation of the limit says how to raise it.
   */
  private static Abort exceeded() {
    return Abort.execution(
        "query processing would load too many samples into memory in query execution");
  }
}
