package org.inferometer.query.script;

/** One place in a series line: a value, a native histogram, or nothing. */
sealed interface Slot {
  record Omitted() implements Slot {}

  record Value(double value) implements Slot {}

  /**
   * @param literal as written between the double braces
   */
  record Histogram(String literal) implements Slot {}

  Slot OMITTED = new Omitted();
}
