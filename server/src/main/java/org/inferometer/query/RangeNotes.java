package org.inferometer.query;

import org.inferometer.histogram.HistogramSum;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.promql.Span;

/**
 * What a function over windows has to say of the series it is given, at the place of its argument.
 * Thread-safe.
 */
record RangeNotes(Annotations annotations, Span span) {
  void mixedKinds(Labels series) {
    annotations.mixedFloatsAndHistograms(series.metricName(), span);
  }

  void mixedSchemas(Labels series) {
    annotations.mixedSchemas(series.metricName(), span);
  }

  void ignoredHistograms(Labels series) {
    annotations.ignoredHistogramInMixedRange(series.metricName(), span);
  }

  void notCounter(Labels series) {
    annotations.nativeHistogramNotCounter(series.metricName(), span);
  }

  void notGauge(Labels series) {
    annotations.nativeHistogramNotGauge(series.metricName(), span);
  }

  void overlappingStart(Labels series) {
    annotations.overlappingStart(series.metricName(), span);
  }

  void contradictingResets() {
    annotations.contradictingResets("aggregation", span);
  }

  void reconciledBounds() {
    annotations.reconciledBounds("aggregation", span);
  }

  /** The sum; says so if bounds had to be reconciled. Both have the same kind of buckets. */
  NativeHistogram sum(NativeHistogram left, NativeHistogram right) {
    HistogramSum sum = HistogramSum.of(left, right, 1);
    if (sum.boundsReconciled()) {
      annotations.reconciledBounds("addition", span);
    }
    return sum.result();
  }

  /** The same for a difference. */
  NativeHistogram difference(NativeHistogram left, NativeHistogram right) {
    HistogramSum difference = HistogramSum.of(left, right, -1);
    if (difference.boundsReconciled()) {
      annotations.reconciledBounds("subtraction", span);
    }
    return difference.result();
  }
}
