package org.inferometer.exposition;

/** What {@link ExpositionParser#next} found. Comments and blank lines are passed over. */
public enum Event {
  /** A sample: series, value, perhaps a timestamp and an exemplar. */
  SERIES,
  HELP,
  TYPE,
  /** OpenMetrics only; a comment in the text format. */
  UNIT,
  /** A line that was left out; in {@link Mode#TOLERANT} only. */
  BAD_LINE,
  END
}
