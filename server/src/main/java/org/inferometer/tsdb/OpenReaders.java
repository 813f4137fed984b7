package org.inferometer.tsdb;

import java.util.TreeMap;

/**
 * Counts the open queriers of a store by what they have seen: each belongs to the stage that was on
 * when it was opened. Thread-safe.
 */
final class OpenReaders {
  private final TreeMap<Long, Integer> countByStage = new TreeMap<>();
  private long stage;

  /** Notes a querier that is about to be opened. Returns its stage, for {@link #leave}. */
  synchronized long enter() {
    countByStage.merge(stage, 1, Integer::sum);
    return stage;
  }

  synchronized void leave(long enteredStage) {
    countByStage.computeIfPresent(enteredStage, (s, count) -> count == 1 ? null : count - 1);
  }

  /** Begins a stage: whoever enters from now on sees what is there now. Returns its number. */
  synchronized long begin() {
    return ++stage;
  }

  /** Whether a querier is open that was there before a stage began. */
  synchronized boolean hasOlderThan(long begunStage) {
    return !countByStage.isEmpty() && countByStage.firstKey() < begunStage;
  }
}
