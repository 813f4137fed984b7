package org.inferometer.query;

import java.util.Arrays;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * One element of a vector over all steps: a label set and for each step a float, a native histogram
 * or nothing.
 *
 * <p>Presence is a column of its own, so every bit pattern of a value is free for data. Most rows
 * have floats only and no column of histograms. Made by one thread, then only read; two threads may
 * fill different stretches of steps if only one of them sets histograms or {@link
 * #withHistogramColumn} was called before.
 */
final class Row {
  private final Labels labels;
  private final boolean nameDropped;
  private final double[] values;
  private final boolean[] present;
  private @Nullable NativeHistogram @Nullable [] histograms;

  private Row(
      Labels labels,
      boolean nameDropped,
      double[] values,
      boolean[] present,
      @Nullable NativeHistogram @Nullable [] histograms) {
    this.labels = labels;
    this.nameDropped = nameDropped;
    this.values = values;
    this.present = present;
    this.histograms = histograms;
  }

  Row(Labels labels, boolean nameDropped, int steps) {
    this(labels, nameDropped, new double[steps], new boolean[steps], null);
  }

  Row(Labels labels, boolean nameDropped, double[] values, boolean[] present) {
    this(labels, nameDropped, values, present, null);
  }

  Labels labels() {
    return labels;
  }

  /**
   * Whether the metric name is still among the labels but no longer counts; only with delayed name
   * removal.
   */
  boolean nameDropped() {
    return nameDropped;
  }

  /** The column of floats; what it holds where there is none means nothing. */
  double[] values() {
    return values;
  }

  /** Where there is anything, a float or a histogram. */
  boolean[] present() {
    return present;
  }

  /** Null if there are only floats. */
  @Nullable NativeHistogram @Nullable [] histograms() {
    return histograms;
  }

  boolean hasHistograms() {
    return histograms != null;
  }

  boolean hasFloats() {
    if (histograms == null) {
      return !isEmpty();
    }
    for (int i = 0; i < present.length; i++) {
      if (isFloat(i)) {
        return true;
      }
    }
    return false;
  }

  /** This row, ready to take histograms at any step from any thread. */
  Row withHistogramColumn() {
    if (histograms == null) {
      histograms = new NativeHistogram[values.length];
    }
    return this;
  }

  void set(int step, NativeHistogram histogram) {
    @Nullable NativeHistogram[] column = withHistogramColumn().histograms;
    if (column != null) {
      column[step] = histogram;
    }
    values[step] = Double.NaN;
    present[step] = true;
  }

  /** Takes away what is at a step. */
  void clear(int step) {
    present[step] = false;
    if (histograms != null) {
      histograms[step] = null;
    }
  }

  /** Takes over what another row has at a step, which is something. */
  void setFrom(int step, Row other) {
    NativeHistogram histogram = other.histogram(step);
    if (histogram == null) {
      set(step, other.values[step]);
    } else {
      set(step, histogram);
    }
  }

  /** The histogram at a step; null if there is a float or nothing. */
  @Nullable NativeHistogram histogram(int step) {
    return histograms == null ? null : histograms[step];
  }

  boolean isFloat(int step) {
    return present[step] && (histograms == null || histograms[step] == null);
  }

  /**
   * Without its histograms: this row if it has none. The column of values is shared, so the row
   * isn't written to.
   */
  Row floatsOnly() {
    if (histograms == null) {
      return this;
    }
    boolean[] floats = present.clone();
    for (int i = 0; i < floats.length; i++) {
      floats[i] &= histograms[i] == null;
    }
    return new Row(labels, nameDropped, values, floats, null);
  }

  /** How many samples of 16 bytes its points weigh. */
  long sampleEquivalents() {
    if (histograms == null) {
      return values.length;
    }
    long total = values.length;
    for (NativeHistogram h : histograms) {
      total += h == null ? 0 : h.sampleEquivalents();
    }
    return total;
  }

  int steps() {
    return values.length;
  }

  void set(int step, double value) {
    values[step] = value;
    present[step] = true;
  }

  boolean isPresent(int step) {
    return present[step];
  }

  double value(int step) {
    return values[step];
  }

  boolean isEmpty() {
    for (boolean p : present) {
      if (p) {
        return false;
      }
    }
    return true;
  }

  int points() {
    int n = 0;
    for (boolean p : present) {
      if (p) {
        n++;
      }
    }
    return n;
  }

  /** The same points under other labels; the columns are shared, so this row isn't used on. */
  Row as(Labels otherLabels, boolean otherNameDropped) {
    return new Row(otherLabels, otherNameDropped, values, present, histograms);
  }

  Row copy() {
    return new Row(
        labels,
        nameDropped,
        values.clone(),
        present.clone(),
        histograms == null ? null : histograms.clone());
  }

  /** A row of one step repeated for many. */
  Row repeat(int steps) {
    Row repeated = new Row(labels, nameDropped, steps);
    if (present[0]) {
      Arrays.fill(repeated.values, values[0]);
      Arrays.fill(repeated.present, true);
      if (histograms != null) {
        repeated.histograms = new NativeHistogram[steps];
        Arrays.fill(repeated.histograms, histograms[0]);
      }
    }
    return repeated;
  }

  /**
   * Adds the points of a row with the same labels.
   *
   * @throws Abort if both have a point at some step
   */
  void takeOver(Row other) {
    for (int i = 0; i < values.length; i++) {
      if (other.present[i]) {
        if (present[i]) {
          throw Abort.sameLabels();
        }
        setFrom(i, other);
      }
    }
  }
}
