package org.inferometer.tsdb.block;

import java.util.Arrays;
import java.util.Comparator;

/** Stretches of time in any order, to be merged once all are there. Not thread-safe. */
final class Stretches {
  /** First and last time of each. */
  private long[] times;

  private int size;

  /**
   * @param times first and last time of each of some that are merged already
   */
  Stretches(long[] times) {
    this.times = times.clone();
    size = times.length;
  }

  /** Adds one, ends included. */
  void add(long minMs, long maxMs) {
    if (size == times.length) {
      times = Arrays.copyOf(times, Math.max(2, 2 * size));
    }
    times[size++] = minMs;
    times[size++] = maxMs;
  }

  /** First and last time of each, ascending; no two touch. */
  long[] merged() {
    if (size > 2) {
      sort();
    }
    long[] result = new long[size];
    int count = 0;
    for (int i = 0; i < size; i += 2) {
      if (count > 0 && touches(result[count - 1], times[i])) {
        result[count - 1] = Math.max(result[count - 1], times[i + 1]);
      } else {
        result[count++] = times[i];
        result[count++] = times[i + 1];
      }
    }
    return Arrays.copyOf(result, count);
  }

  /** Whether a stretch that begins no earlier goes on where one ends. */
  private static boolean touches(long endMs, long beginMs) {
    return beginMs <= endMs || beginMs == endMs + 1;
  }

  private void sort() {
    long[][] pairs = new long[size / 2][];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = new long[] {times[2 * i], times[2 * i + 1]};
    }
    Arrays.sort(pairs, Comparator.comparingLong(pair -> pair[0]));
    for (int i = 0; i < pairs.length; i++) {
      times[2 * i] = pairs[i][0];
      times[2 * i + 1] = pairs[i][1];
    }
  }
}
