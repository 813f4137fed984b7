package org.inferometer.tsdb;

import java.util.Arrays;

/**
 * Sorts samples of one series, as columns, by time. Of several with one timestamp the first that
 * came is kept. Not thread-safe.
 */
final class SampleSorter {
  private long repeated;
  private long contradicting;

  /** How many were dropped since their timestamp was there with the same value. */
  long repeated() {
    return repeated;
  }

  /** How many were dropped since their timestamp was there with another value. */
  long contradicting() {
    return contradicting;
  }

  /**
   * Sorts the elements with {@code from <= index < to}; the timestamps are less than 2^31 ms apart.
   *
   * @return the end of those that are left, from {@code from} on
   */
  int sort(long[] timestampsMs, double[] values, int from, int to) {
    if (!isAscending(timestampsMs, from, to)) {
      reorder(timestampsMs, values, from, to);
    }
    return withoutRepeats(timestampsMs, values, from, to);
  }

  private static boolean isAscending(long[] timestampsMs, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (timestampsMs[i] < timestampsMs[i - 1]) {
        return false;
      }
    }
    return true;
  }

  /** By time, then by the order they came in: both in one number. */
  private static void reorder(long[] timestampsMs, double[] values, int from, int to) {
    long minMs = Long.MAX_VALUE;
    for (int i = from; i < to; i++) {
      minMs = Math.min(minMs, timestampsMs[i]);
    }
    long[] keys = new long[to - from];
    for (int i = from; i < to; i++) {
      keys[i - from] = ((timestampsMs[i] - minMs) << 32) | (i - from);
    }
    Arrays.sort(keys);
    double[] before = Arrays.copyOfRange(values, from, to);
    for (int i = 0; i < keys.length; i++) {
      timestampsMs[from + i] = minMs + (keys[i] >>> 32);
      values[from + i] = before[(int) keys[i]];
    }
  }

  private int withoutRepeats(long[] timestampsMs, double[] values, int from, int to) {
    int end = from;
    for (int i = from; i < to; i++) {
      if (i == from || timestampsMs[i] != timestampsMs[end - 1]) {
        timestampsMs[end] = timestampsMs[i];
        values[end++] = values[i];
      } else if (isSame(values[i], values[end - 1])) {
        repeated++;
      } else {
        contradicting++;
      }
    }
    return end;
  }

  private static boolean isSame(double a, double b) {
    return Double.doubleToRawLongBits(a) == Double.doubleToRawLongBits(b);
  }
}
