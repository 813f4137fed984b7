package org.inferometer.query.script;

import org.inferometer.histogram.NativeHistogram;

/** One place in a series line: a value, a native histogram, or nothing. */
sealed interface Slot {
  record Omitted() implements Slot {}

  record Value(double value) implements Slot {}

  /**
   * @param hintWritten whether the reset hint was written and so is to be compared
   */
  record Histogram(NativeHistogram value, boolean hintWritten) implements Slot {}

  Slot OMITTED = new Omitted();
}
