package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.tsdb.wal.WalRecord;
import org.inferometer.tsdb.wal.WalSamples;
import org.jspecify.annotations.Nullable;

/** What is written to one log at once. */
final class LogBatch {
  private final List<WalRecord.NewSeries> series = new ArrayList<>();
  private final WalSamples floats = new WalSamples();
  private final List<WalRecord.HistogramSample> histograms = new ArrayList<>();
  private final List<WalRecord.SeriesExemplar> exemplars = new ArrayList<>();

  void clear() {
    series.clear();
    floats.clear();
    histograms.clear();
    exemplars.clear();
  }

  void add(long ref, long timestampMs, double value, @Nullable NativeHistogram histogram) {
    if (histogram == null) {
      floats.add(ref, timestampMs, value);
    } else {
      histograms.add(new WalRecord.HistogramSample(ref, timestampMs, histogram));
    }
  }

  void add(WalRecord.HistogramSample sample) {
    histograms.add(sample);
  }

  void add(long ref, Exemplar exemplar) {
    exemplars.add(new WalRecord.SeriesExemplar(ref, exemplar));
  }

  /** Adds a series, which comes before all samples. */
  void introduce(long ref, Labels labels) {
    series.add(new WalRecord.NewSeries(ref, labels));
  }

  boolean hasSamples() {
    return floats.size() > 0 || !histograms.isEmpty();
  }

  List<WalRecord> records() {
    List<WalRecord> records = new ArrayList<>(4);
    if (!series.isEmpty()) {
      records.add(new WalRecord.Series(series));
    }
    if (floats.size() > 0) {
      records.add(new WalRecord.Samples(floats));
    }
    if (!histograms.isEmpty()) {
      records.add(new WalRecord.Histograms(histograms));
    }
    if (!exemplars.isEmpty()) {
      records.add(new WalRecord.Exemplars(exemplars));
    }
    return records;
  }
}
