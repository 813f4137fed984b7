package org.inferometer.store;

/** What became of one sample. Everything but {@code ACCEPTED} and {@code SAME} is a rejection. */
public enum AppendOutcome {
  /** Taken; visible after commit. */
  ACCEPTED,
  /** The same timestamp with the same value is there already. */
  SAME,
  /** The same timestamp with another value is there already. */
  DUPLICATE,
  /** Older than the newest sample of the series, and out-of-order samples aren't taken. */
  OUT_OF_ORDER,
  /** Older than the out-of-order window reaches. */
  TOO_OLD,
  /** Older than the store keeps, or too far in the future. */
  OUT_OF_BOUNDS,
  /** The reference is no longer that of a series: ask {@link Appender#series} again. */
  UNKNOWN_SERIES,
  /** The store has no room for it. */
  NO_ROOM;

  public boolean isRejection() {
    return this != ACCEPTED && this != SAME;
  }
}
