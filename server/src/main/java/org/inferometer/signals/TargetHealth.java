package org.inferometer.signals;

import java.util.Arrays;

/**
 * How scraping a target went lately.
 *
 * @param status whether the last scrape worked
 * @param sinceMs when that began, as far back as was looked
 * @param sinceIsExact whether it was seen to begin then
 * @param firstMs the first scrape seen
 * @param intervalMs the usual time between scrapes
 */
record TargetHealth(
    Status status, long sinceMs, boolean sinceIsExact, long firstMs, long intervalMs) {
  enum Status {
    UP,
    DOWN,
    /** No scrape has been recorded lately. */
    SILENT
  }

  /** What is assumed before two scrapes were seen. */
  static final long INTERVAL_DEFAULT_MS = 15_000;

  /** A target is silent after this many intervals without a scrape. */
  private static final int SILENT_INTERVALS = 4;

  /**
   * Health from the samples of "up", of which there is at least one.
   *
   * @param timestampsMs ascending
   */
  static TargetHealth of(long[] timestampsMs, double[] values, long nowMs) {
    int last = timestampsMs.length - 1;
    long interval = interval(timestampsMs);
    if (nowMs - timestampsMs[last] > SILENT_INTERVALS * interval) {
      return new TargetHealth(Status.SILENT, timestampsMs[last], true, timestampsMs[0], interval);
    }
    int begin = last;
    while (begin > 0 && (values[begin - 1] == 0) == (values[last] == 0)) {
      begin--;
    }
    Status status = values[last] == 0 ? Status.DOWN : Status.UP;
    return new TargetHealth(status, timestampsMs[begin], begin > 0, timestampsMs[0], interval);
  }

  /** The median gap, which a missed scrape doesn't move. */
  private static long interval(long[] timestampsMs) {
    if (timestampsMs.length < 2) {
      return INTERVAL_DEFAULT_MS;
    }
    long[] gaps = new long[timestampsMs.length - 1];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = timestampsMs[i + 1] - timestampsMs[i];
    }
    Arrays.sort(gaps);
    return Math.max(1, gaps[gaps.length / 2]);
  }
}
