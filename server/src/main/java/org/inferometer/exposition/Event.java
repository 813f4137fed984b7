package org.inferometer.exposition;

/** What {@link ExpositionParser#next} found. Comments and blank lines are passed over. */
public enum Event {
  /** A sample: series, value, perhaps a timestamp and an exemplar. */
  SERIES,
  /** The same with a native histogram instead of a number. */
  HISTOGRAM,
  HELP,
  TYPE,
  /** OpenMetrics only; a comment in the text format. */
  UNIT,
  /**
   * A line or, in protobuf, a family or metric that was left out; in {@link Mode#TOLERANT} only.
   */
  BAD_LINE,
  END
}
