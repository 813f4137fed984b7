package org.inferometer.query;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.store.SampleColumns;

/** What an instant selector takes of the newest sample. */
enum SampleFacet {
  /** The float or the histogram that it holds. */
  VALUE,
  /** When it was taken, in seconds. */
  TIME,
  /** The same of an info series, which may hold floats only. */
  INFO_TIME,
  /** When what it counts began, in seconds; 0 if that isn't known. */
  START_TIME;

  /** Puts the facet of a sample into a row. */
  void put(SampleColumns from, int index, Row into, int step) {
    switch (this) {
      case VALUE -> {
        NativeHistogram histogram = from.histogram(index);
        if (histogram == null) {
          into.set(step, from.value(index));
        } else {
          into.set(step, histogram);
        }
      }
      case TIME -> into.set(step, from.timestampMs(index) / 1000.0);
      case INFO_TIME -> {
        if (from.histogram(index) != null) {
          throw Abort.execution("info sample should be float");
        }
        into.set(step, from.timestampMs(index) / 1000.0);
      }
      case START_TIME -> into.set(step, from.startMs(index) / 1000.0);
    }
  }
}
