package org.inferometer.query;

/**
 * What a selector's {@code @} and {@code offset} come to in a query: it looks at {@code fixedMs},
 * or else at the evaluation time, less the offset.
 *
 * @param fixed whether {@code fixedMs} counts
 */
record Shift(boolean fixed, long fixedMs, long offsetMs) {
  static final Shift NONE = new Shift(false, 0, 0);

  long apply(long evaluationMs) {
    return (fixed ? fixedMs : evaluationMs) - offsetMs;
  }

  /** This shift at the times that another one gives: a selector's inside a subquery's. */
  Shift within(Shift outer) {
    return fixed ? this : new Shift(outer.fixed, outer.fixedMs, outer.offsetMs + offsetMs);
  }
}
