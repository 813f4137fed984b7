package org.inferometer.tsdb;

import java.util.EnumMap;
import java.util.Map;
import org.inferometer.store.AppendOutcome;

/** How many samples had which outcome. Not thread-safe. */
final class OutcomeCounts {
  private static final AppendOutcome[] OUTCOMES = AppendOutcome.values();

  private final long[] counts = new long[OUTCOMES.length];

  @SuppressWarnings("EnumOrdinal") // once a sample; an EnumMap would box
  void add(AppendOutcome outcome, long count) {
    counts[outcome.ordinal()] += count;
  }

  /** Counts what had one outcome under another. */
  @SuppressWarnings("EnumOrdinal")
  void turn(AppendOutcome from, AppendOutcome to) {
    long count = counts[from.ordinal()];
    add(from, -count);
    add(to, count);
  }

  void addAll(OutcomeCounts other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
  }

  /** Only what was rejected. */
  OutcomeCounts rejections() {
    OutcomeCounts rejections = new OutcomeCounts();
    for (int i = 0; i < counts.length; i++) {
      rejections.counts[i] = OUTCOMES[i].isRejection() ? counts[i] : 0;
    }
    return rejections;
  }

  Map<AppendOutcome, Long> toMap() {
    Map<AppendOutcome, Long> map = new EnumMap<>(AppendOutcome.class);
    for (int i = 0; i < counts.length; i++) {
      map.put(OUTCOMES[i], counts[i]);
    }
    return map;
  }
}
