package org.inferometer.histogram;

/** What is known of whether a counter histogram was reset between the sample before and this. */
public enum ResetHint {
  UNKNOWN,
  RESET,
  NOT_RESET,
  /** It doesn't count up: going down means nothing. */
  GAUGE;

  /** What is known of a sum of two. */
  ResetHint with(ResetHint other) {
    if (this == other) {
      return this;
    }
    return this == GAUGE || other == GAUGE ? GAUGE : UNKNOWN;
  }

  /** Whether one says that there was a reset and the other that there was none. */
  public boolean contradicts(ResetHint other) {
    return (this == RESET && other == NOT_RESET) || (this == NOT_RESET && other == RESET);
  }
}
