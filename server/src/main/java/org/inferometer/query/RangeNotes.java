package org.inferometer.query;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.histogram.HistogramSum;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.promql.Span;

/**
 * What a function over windows has to say of the series it is given, at the place of its argument.
 * There may be millions of windows: the same is passed on once. Thread-safe.
 */
final class RangeNotes {
  private final Annotations annotations;
  private final Span span;
  private final Set<Said> said = ConcurrentHashMap.newKeySet();

  RangeNotes(Annotations annotations, Span span) {
    this.annotations = annotations;
    this.span = span;
  }

  private enum Topic {
    MIXED_KINDS,
    MIXED_SCHEMAS,
    IGNORED_HISTOGRAMS,
    NOT_COUNTER,
    NOT_GAUGE,
    OVERLAPPING_START,
    CONTRADICTING_RESETS,
    RECONCILED_IN_AGGREGATION,
    RECONCILED_IN_ADDITION,
    RECONCILED_IN_SUBTRACTION
  }

  private record Said(Topic topic, String metricName) {}

  private boolean isNew(Topic topic, Labels series) {
    return said.add(new Said(topic, series.metricName()));
  }

  private boolean isNew(Topic topic) {
    return isNew(topic, Labels.EMPTY);
  }

  void mixedKinds(Labels series) {
    if (isNew(Topic.MIXED_KINDS, series)) {
      annotations.mixedFloatsAndHistograms(series.metricName(), span);
    }
  }

  void mixedSchemas(Labels series) {
    if (isNew(Topic.MIXED_SCHEMAS, series)) {
      annotations.mixedSchemas(series.metricName(), span);
    }
  }

  void ignoredHistograms(Labels series) {
    if (isNew(Topic.IGNORED_HISTOGRAMS, series)) {
      annotations.ignoredHistogramInMixedRange(series.metricName(), span);
    }
  }

  void notCounter(Labels series) {
    if (isNew(Topic.NOT_COUNTER, series)) {
      annotations.nativeHistogramNotCounter(series.metricName(), span);
    }
  }

  void notGauge(Labels series) {
    if (isNew(Topic.NOT_GAUGE, series)) {
      annotations.nativeHistogramNotGauge(series.metricName(), span);
    }
  }

  void overlappingStart(Labels series) {
    if (isNew(Topic.OVERLAPPING_START, series)) {
      annotations.overlappingStart(series.metricName(), span);
    }
  }

  void contradictingResets() {
    if (isNew(Topic.CONTRADICTING_RESETS)) {
      annotations.contradictingResets("aggregation", span);
    }
  }

  void reconciledBounds() {
    if (isNew(Topic.RECONCILED_IN_AGGREGATION)) {
      annotations.reconciledBounds("aggregation", span);
    }
  }

  /** The sum; says so if bounds had to be reconciled. Both have the same kind of buckets. */
  NativeHistogram sum(NativeHistogram left, NativeHistogram right) {
    HistogramSum sum = HistogramSum.of(left, right, 1);
    if (sum.boundsReconciled() && isNew(Topic.RECONCILED_IN_ADDITION)) {
      annotations.reconciledBounds("addition", span);
    }
    return sum.result();
  }

  /** The same for a difference. */
  NativeHistogram difference(NativeHistogram left, NativeHistogram right) {
    HistogramSum difference = HistogramSum.of(left, right, -1);
    if (difference.boundsReconciled() && isNew(Topic.RECONCILED_IN_SUBTRACTION)) {
      annotations.reconciledBounds("subtraction", span);
    }
    return difference.result();
  }
}
