package org.inferometer.simulator.measure;

import java.util.Locale;

/**
 * Something that a part of the simulation counts or measures; its constants say the unit. Pages
 * name it by its id.
 */
public interface Quantity {
  /** How it is kept. */
  enum Kind {
    /** Only grows, but for a restart. */
    COUNTER,
    /** Is set. */
    GAUGE,
    /** Counts what was observed into buckets. */
    DISTRIBUTION,
    /** A counter for each value of a label. */
    COUNTERS,
    /** A gauge for each value of a label. */
    GAUGES,
    /** A distribution for each value of a label. */
    DISTRIBUTIONS
  }

  Kind kind();

  int ordinal();

  String name();

  /** Its name in pages and scenarios: lower case, words joined by underscores. */
  default String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
