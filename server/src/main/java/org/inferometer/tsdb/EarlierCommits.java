package org.inferometer.tsdb;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a series remembers of commits before its last, as one array: number, time of the first
 * sample, number, time, ... A bare array, and null for none, since there is one in each series.
 */
final class EarlierCommits {
  /** About one for each open view. With more, the oldest views see too much. */
  private static final int MAX = 64;

  private EarlierCommits() {}

  /** Those that some view may need to know, of the ones so far and another one. */
  static long @Nullable [] with(
      long @Nullable [] soFar, long commit, long fromMs, Isolation.Commit current) {
    long[] old = soFar == null ? new long[0] : soFar;
    long[] kept = new long[old.length + 2];
    int n = 0;
    for (int i = old.length >= 2 * MAX ? 2 : 0; i < old.length; i += 2) {
      n = keep(kept, n, old[i], old[i + 1], current);
    }
    n = keep(kept, n, commit, fromMs, current);
    return n == 0 ? null : Arrays.copyOf(kept, n);
  }

  private static int keep(long[] kept, int n, long number, long fromMs, Isolation.Commit current) {
    boolean isNeeded =
        n == 0 ? number >= current.firstUnseen() : current.needs(kept[n - 2], number);
    if (isNeeded) {
      kept[n] = number;
      kept[n + 1] = fromMs;
    }
    return isNeeded ? n + 2 : n;
  }

  /** The last time of which a view sees samples, as far as these tell. */
  static long seenMaxMs(long[] commits, Isolation.View view) {
    long seen = Long.MAX_VALUE;
    for (int i = 0; i < commits.length; i += 2) {
      if (!view.sees(commits[i])) {
        seen = Math.min(seen, commits[i + 1] - 1);
      }
    }
    return seen;
  }
}
