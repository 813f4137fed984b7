package org.inferometer.store;

import java.util.List;
import org.inferometer.model.ExemplarSeries;
import org.inferometer.model.Matcher;

/** Anything that holds exemplars. Thread-safe. */
@FunctionalInterface
public interface ExemplarSource {
  /**
   * The exemplars with {@code minMs <= t <= maxMs} of the series that pass any of the selections,
   * sorted by labels.
   */
  List<ExemplarSeries> exemplars(List<List<Matcher>> selections, long minMs, long maxMs);
}
