package org.inferometer.tsdb.block;

import java.util.Arrays;

/**
 * The ids of the series of each label pair in one array, pair behind pair, since how many there are
 * is known before the first. Not thread-safe.
 */
final class PostingsCollector {
  private final int[] starts;
  private final int[] ends;
  private final int[] ids;

  PostingsCollector(PairCollector pairs) {
    starts = new int[pairs.size()];
    long total = 0;
    for (int i = 0; i < starts.length; i++) {
      starts[i] = Math.toIntExact(total);
      total += pairs.count(i);
    }
    ends = Arrays.copyOf(starts, starts.length);
    ids = new int[Math.toIntExact(total)];
  }

  /** Adds a series to a pair; its id is higher than those before. */
  void add(int pair, int id) {
    ids[ends[pair]++] = id;
  }

  int size(int pair) {
    return ends[pair] - starts[pair];
  }

  int id(int pair, int index) {
    return ids[starts[pair] + index];
  }
}
