package org.inferometer.tsdb.wal;

import java.util.List;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricMetadata;

/**
 * What a write-ahead log tells, in the order it happened. References of series are positive and
 * unsigned; a record refers only to series that an earlier one introduced.
 */
public sealed interface WalRecord {
  /** New series. */
  record Series(List<NewSeries> entries) implements WalRecord {}

  /** A reference and what it stands for from now on. */
  record NewSeries(long ref, Labels labels) {}

  /** Float samples, in columns. */
  record Samples(WalSamples samples) implements WalRecord {}

  /** Native histograms of either kind of counts. */
  record Histograms(List<HistogramSample> entries) implements WalRecord {}

  /** A sample. */
  record HistogramSample(long ref, long timestampMs, NativeHistogram histogram) {}

  /** Samples that were deleted. */
  record Tombstones(List<Deletion> entries) implements WalRecord {}

  /** A stretch of time of a series, ends included. */
  record Deletion(long ref, long minMs, long maxMs) {}

  /** Exemplars. */
  record Exemplars(List<SeriesExemplar> entries) implements WalRecord {}

  /** One of a series. */
  record SeriesExemplar(long ref, Exemplar exemplar) {}

  /** What is known of the metrics of series. */
  record Metadata(List<SeriesMetadata> entries) implements WalRecord {}

  /** Of one series. */
  record SeriesMetadata(long ref, MetricMetadata metadata) {}

  /** One that says nothing to us: of a kind that others write, or that isn't known. */
  record Other(int type) implements WalRecord {}
}
