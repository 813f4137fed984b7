package org.inferometer.tsdb;

import java.util.Arrays;
import org.inferometer.histogram.NativeHistogram;
import org.jspecify.annotations.Nullable;

/** Samples that are replayed, as columns in the order of the log, and a deletion behind them. */
final class ReplayBatch {
  private static final int CAPACITY_FIRST = 1_024;

  private final int capacityMax;
  private int[] ids;
  private long[] timestampsMs;
  private double[] values;
  private @Nullable NativeHistogram @Nullable [] histograms;
  private int size;

  private int deletedId;
  private long deletedMinMs;
  private long deletedMaxMs;
  private boolean isLast;

  ReplayBatch(int capacityMax) {
    this.capacityMax = capacityMax;
    int capacity = Math.min(CAPACITY_FIRST, capacityMax);
    ids = new int[capacity];
    timestampsMs = new long[capacity];
    values = new double[capacity];
  }

  /** Empties it; what it has room for stays. */
  void clear() {
    size = 0;
    deletedId = 0;
    histograms = null;
  }

  boolean isFull() {
    return size == capacityMax;
  }

  void add(int id, long timestampMs, double value, @Nullable NativeHistogram histogram) {
    if (size == ids.length) {
      grow(Math.min(capacityMax, 2 * size));
    }
    int i = size++;
    ids[i] = id;
    timestampsMs[i] = timestampMs;
    values[i] = value;
    if (histogram != null) {
      histograms = histograms == null ? new NativeHistogram[ids.length] : histograms;
      histograms[i] = histogram;
    }
  }

  private void grow(int capacity) {
    ids = Arrays.copyOf(ids, capacity);
    timestampsMs = Arrays.copyOf(timestampsMs, capacity);
    values = Arrays.copyOf(values, capacity);
    histograms = histograms == null ? null : Arrays.copyOf(histograms, capacity);
  }

  int size() {
    return size;
  }

  /** The ids of the series, in the first places. */
  int[] ids() {
    return ids;
  }

  /** Adds one of the samples to a run. */
  void addTo(SampleRun run, int index) {
    run.add(timestampsMs[index], values[index], histograms == null ? null : histograms[index]);
  }

  /** Notes what is deleted once the samples are in. */
  void delete(int id, long minMs, long maxMs) {
    deletedId = id;
    deletedMinMs = minMs;
    deletedMaxMs = maxMs;
  }

  /** The id of the series of which something is deleted; 0 for none. */
  int deletedId() {
    return deletedId;
  }

  long deletedMinMs() {
    return deletedMinMs;
  }

  long deletedMaxMs() {
    return deletedMaxMs;
  }

  /** Notes that none comes after it. */
  void setLast() {
    isLast = true;
  }

  boolean isLast() {
    return isLast;
  }
}
