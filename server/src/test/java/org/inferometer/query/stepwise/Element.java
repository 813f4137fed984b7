package org.inferometer.query.stepwise;

import org.inferometer.model.Labels;

/**
 * One element of an instant vector.
 *
 * @param dropsName whether the metric name goes at the end (with delayed name removal only)
 */
record Element(Labels labels, double value, boolean dropsName) {
  Element(Labels labels, double value) {
    this(labels, value, false);
  }

  Element withValue(double other) {
    return new Element(labels, other, dropsName);
  }

  Element withLabels(Labels other) {
    return new Element(other, value, dropsName);
  }
}
