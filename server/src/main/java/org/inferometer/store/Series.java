package org.inferometer.store;

import org.inferometer.model.Labels;

/** One series of a selection: its labels, and its samples on demand. */
public interface Series {
  Labels labels();

  /**
   * Appends to the columns, in ascending time, the samples with {@code fromMs <= t <= toMs},
   * staleness markers included. May be called from any thread, any number of times, while the
   * querier that made it is open.
   */
  void read(long fromMs, long toMs, SampleColumns into);
}
