package org.inferometer.query;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the samples that a query holds in memory and stops it at the limit. Thread-safe. */
final class SampleBudget {
  /** What all queries of a process may hold together. */
  static final class Together {
    /** Bytes of a decoded sample: its time and its value. */
    private static final int BYTES_PER_SAMPLE = 16;

    /** What a row takes besides its samples, in samples: three objects with their headers. */
    private static final int SAMPLES_PER_ROW = 6;

    private final long limit;
    private final AtomicLong held = new AtomicLong();

    Together(long limit) {
      this.limit = limit;
    }

    /** A quarter of the heap, so that queries can't take from the store what it needs. */
    static Together ofHeap() {
      return new Together(Runtime.getRuntime().maxMemory() / 4 / BYTES_PER_SAMPLE);
    }
  }

  private final long limit;
  private final Together together;
  private final AtomicLong held = new AtomicLong();
  private final AtomicLong rows = new AtomicLong();

  SampleBudget(long limit, Together together) {
    this.limit = limit;
    this.together = together;
  }

  void acquire(long samples) {
    long all = together.held.addAndGet(samples);
    if (held.addAndGet(samples) > limit) {
      throw exceeded();
    }
    checkTogether(all);
  }

  private void checkTogether(long all) {
    if (all > together.limit) {
      throw Abort.execution(
          "queries hold too many samples in memory together: the limit is a quarter of the heap, %d"
                  .formatted(together.limit)
              + " samples; ask for less at a time or give the server more heap");
    }
  }

  /** Takes samples only if they fit. */
  boolean tryAcquire(long samples) {
    if (held.get() + samples > limit || together.held.get() + samples > together.limit / 2) {
      return false;
    }
    held.addAndGet(samples);
    together.held.addAndGet(samples);
    return true;
  }

  void release(long samples) {
    held.addAndGet(-samples);
    together.held.addAndGet(-samples);
  }

  /** Gives everything back at the end of the query. */
  void close() {
    together.held.addAndGet(-held.getAndSet(0));
    together.held.addAndGet(-rows.getAndSet(0) * Together.SAMPLES_PER_ROW);
  }

  /**
   * A count to come back to with {@link #settle}: while one node of the tree is evaluated, its
   * inputs add up; once it is done, only its result is held.
   */
  long mark() {
    return held.get();
  }

  void settle(long mark, long samples) {
    together.held.addAndGet(mark - held.getAndSet(mark));
    acquire(samples);
  }

  /**
   * Rows, whose objects take memory besides samples: at one step far more. The limit of one query
   * is on samples alone, as in Prometheus.
   */
  void acquireRows(long count) {
    rows.addAndGet(count);
    checkTogether(together.held.addAndGet(count * Together.SAMPLES_PER_ROW));
  }

  long markRows() {
    return rows.get();
  }

  /** As {@link #settle} for rows. */
  void settleRows(long mark, long count) {
    together.held.addAndGet((mark - rows.getAndSet(mark)) * Together.SAMPLES_PER_ROW);
    acquireRows(count);
  }

  /** Prometheus's words, which clients know, then which limit it is. */
  private Abort exceeded() {
    return Abort.execution(
        "query processing would load too many samples into memory in query execution: more than"
            + " query.max-samples = %d; ask for less at a time, or raise it with serve --query.max-samples"
                .formatted(limit));
  }
}
