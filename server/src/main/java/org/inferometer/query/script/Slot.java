package org.inferometer.query.script;

/** One place in a series line: a value, a native histogram, or nothing. */
sealed interface Slot {
  record Omitted() implements Slot {}

  record Value(double value) implements Slot {}

  record Histogram(HistogramLiteral literal) implements Slot {}

  Slot OMITTED = new Omitted();
}
