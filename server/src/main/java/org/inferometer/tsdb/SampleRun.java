package org.inferometer.tsdb;

import java.util.Arrays;
import org.inferometer.histogram.NativeHistogram;
import org.jspecify.annotations.Nullable;

/** Samples of one series, in any order of time; to be filled, read and filled again. */
final class SampleRun {
  private int id;
  private long[] timestampsMs = {};
  private double[] values = {};
  private @Nullable NativeHistogram[] histograms = {};
  private boolean hasHistograms;
  private int size;

  /** Empties it, and makes room. */
  void begin(int seriesId, int capacity) {
    id = seriesId;
    size = 0;
    hasHistograms = false;
    if (capacity > values.length) {
      int longer = Math.max(capacity, 2 * values.length);
      timestampsMs = new long[longer];
      values = new double[longer];
      histograms = new NativeHistogram[longer];
    }
  }

  /** Adds one of those that room was made for. */
  void add(long timestampMs, double value, @Nullable NativeHistogram histogram) {
    timestampsMs[size] = timestampMs;
    values[size] = value;
    if (histogram != null || hasHistograms) {
      addHistogram(histogram);
    }
    size++;
  }

  /** Those before are null only as far as there were any: what is older is of another run. */
  private void addHistogram(@Nullable NativeHistogram histogram) {
    if (!hasHistograms) {
      Arrays.fill(histograms, 0, size, null);
      hasHistograms = true;
    }
    histograms[size] = histogram;
  }

  int id() {
    return id;
  }

  int size() {
    return size;
  }

  long timestampMs(int index) {
    return timestampsMs[index];
  }

  double value(int index) {
    return values[index];
  }

  @Nullable NativeHistogram histogram(int index) {
    return hasHistograms ? histograms[index] : null;
  }

  boolean hasHistograms() {
    return hasHistograms;
  }

  /** The times, in the first places. */
  long[] timestampsMs() {
    return timestampsMs;
  }

  /** The values, beside the times. */
  double[] values() {
    return values;
  }
}
