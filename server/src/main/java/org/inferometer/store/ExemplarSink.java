package org.inferometer.store;

import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;

/** Where exemplars go. Thread-safe. */
@FunctionalInterface
public interface ExemplarSink {
  /** Takes what is dropped. */
  ExemplarSink NONE = (series, exemplar) -> false;

  /**
   * Keeps an exemplar of a series, unless the series has it already, has a newer one, or its labels
   * are too long.
   *
   * @return whether it is kept
   */
  boolean add(Labels series, Exemplar exemplar);
}
