package org.inferometer.query;

/**
 * The stretches of time that a range vector covers at each step: {@code (end - rangeMs, end]}, open
 * at the left.
 */
record Windows(Steps steps, Shift shift, long rangeMs) {
  int count() {
    return steps.count();
  }

  long endMs(int step) {
    return shift.apply(steps.timeMs(step));
  }

  long startMs(int step) {
    return endMs(step) - rangeMs;
  }

  /** When the step is evaluated, whatever the shift. */
  long evaluationMs(int step) {
    return steps.timeMs(step);
  }

  /** The earliest time in any window. */
  long firstMs() {
    return startMs(0) + 1;
  }

  long lastMs() {
    return endMs(count() - 1);
  }
}
