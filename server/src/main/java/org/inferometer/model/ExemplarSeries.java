package org.inferometer.model;

import java.util.List;

/**
 * The exemplars of a series.
 *
 * @param exemplars in order of time
 */
public record ExemplarSeries(Labels labels, List<Exemplar> exemplars) {
  public ExemplarSeries {
    exemplars = List.copyOf(exemplars);
  }
}
