package org.inferometer.query;

import java.util.List;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/** What a query evaluates to. */
public sealed interface QueryValue {
  /** About how much memory it takes, in samples of 16 bytes; a histogram is many. */
  default long sampleEquivalents() {
    return switch (this) {
      case Scalar _ -> 1;
      case Text text -> 1 + text.value().length() / 8;
      case Vector vector -> vector.elements().stream().mapToLong(Element::sampleEquivalents).sum();
      case Matrix matrix ->
          matrix.series().stream().mapToLong(MatrixSeries::sampleEquivalents).sum();
    };
  }

  record Scalar(long timestampMs, double value) implements QueryValue {}

  record Text(long timestampMs, String value) implements QueryValue {}

  /** An instant vector, in the order that the query gives. */
  record Vector(List<Element> elements) implements QueryValue {}

  /**
   * @param value NaN if there is a histogram
   * @param histogram null for a float
   */
  record Element(
      Labels labels, long timestampMs, double value, @Nullable NativeHistogram histogram) {
    public Element(Labels labels, long timestampMs, double value) {
      this(labels, timestampMs, value, null);
    }

    private long sampleEquivalents() {
      return histogram == null ? 1 : 1 + histogram.sampleEquivalents();
    }
  }

  /** Series over time, sorted by labels. */
  record Matrix(List<MatrixSeries> series) implements QueryValue {}

  /**
   * Points of one series; the arrays have the same length and belong to the reader.
   *
   * @param histograms null if there are only floats; else null at each float, and the value at each
   *     histogram means nothing
   */
  record MatrixSeries(
      Labels labels,
      long[] timestampsMs,
      double[] values,
      @Nullable NativeHistogram @Nullable [] histograms) {
    public MatrixSeries(Labels labels, long[] timestampsMs, double[] values) {
      this(labels, timestampsMs, values, null);
    }

    private long sampleEquivalents() {
      long samples = values.length;
      for (int i = 0; histograms != null && i < histograms.length; i++) {
        NativeHistogram one = histograms[i];
        samples += one == null ? 0 : one.sampleEquivalents();
      }
      return samples;
    }

    /** Null for a float. */
    public @Nullable NativeHistogram histogram(int index) {
      return histograms == null ? null : histograms[index];
    }
  }
}
