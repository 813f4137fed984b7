package org.inferometer.tsdb;

/**
 * Finds the time before which chunks must go to free a number of bytes: a histogram of bytes over
 * the times at which chunks end. Not thread-safe.
 */
final class DropPlan {
  /** Over six hours a bucket is 21 s, less than what two scrapes bring. */
  private static final int BUCKETS = 1_024;

  private final long fromMs;
  private final long widthMs;
  private final long[] bytes = new long[BUCKETS];

  /**
   * @param fromMs the earliest time that matters, and {@code toMs} the latest
   */
  DropPlan(long fromMs, long toMs) {
    this.fromMs = fromMs;
    this.widthMs = Math.max(1, (toMs - fromMs) / BUCKETS + 1);
  }

  void add(long endMs, long size) {
    long bucket = Math.max(0, (endMs - fromMs) / widthMs);
    if (bucket < BUCKETS) {
      bytes[(int) bucket] += size;
    }
  }

  /** The earliest time such that what ends before it adds up; the latest if nothing does. */
  long cutoffMs(long wantedBytes) {
    long sum = 0;
    int bucket = 0;
    while (bucket < BUCKETS && sum < wantedBytes) {
      sum += bytes[bucket++];
    }
    return fromMs + bucket * widthMs;
  }
}
