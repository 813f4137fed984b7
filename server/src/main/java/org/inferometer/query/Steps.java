package org.inferometer.query;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The times at which an expression is evaluated, in milliseconds, ascending. Immutable. */
final class Steps {
  private final long[] timesMs;

  private Steps(long[] timesMs) {
    this.timesMs = timesMs;
  }

  static Steps at(long timeMs) {
    return new Steps(new long[] {timeMs});
  }

  /** {@code startMs, startMs + stepMs, ...} up to {@code endMs}. */
  static Steps range(long startMs, long endMs, long stepMs) {
    long[] times = new long[Math.toIntExact((endMs - startMs) / stepMs + 1)];
    for (int i = 0; i < times.length; i++) {
      times[i] = startMs + i * stepMs;
    }
    return new Steps(times);
  }

  /** Times that are ascending already; the array is taken over. */
  static Steps of(long[] timesMs) {
    return new Steps(timesMs);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Steps steps && Arrays.equals(timesMs, steps.timesMs);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(timesMs);
  }

  int count() {
    return timesMs.length;
  }

  long timeMs(int step) {
    return timesMs[step];
  }

  long[] copyOfTimes() {
    return timesMs.clone();
  }

  long firstMs() {
    return timesMs[0];
  }

  long lastMs() {
    return timesMs[timesMs.length - 1];
  }
}
