package org.inferometer.query;

import java.util.List;
import org.inferometer.model.Labels;

/** What a query evaluates to. */
public sealed interface QueryValue {
  record Scalar(long timestampMs, double value) implements QueryValue {}

  record Text(long timestampMs, String value) implements QueryValue {}

  /** An instant vector, in the order that the query gives. */
  record Vector(List<Element> elements) implements QueryValue {}

  record Element(Labels labels, long timestampMs, double value) {}

  /** Series over time, sorted by labels. */
  record Matrix(List<MatrixSeries> series) implements QueryValue {}

  /** Points of one series; both arrays have the same length and belong to the reader. */
  record MatrixSeries(Labels labels, long[] timestampsMs, double[] values) {}
}
