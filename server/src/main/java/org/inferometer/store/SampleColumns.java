package org.inferometer.store;

import java.util.Arrays;

/**
 * Samples of one series as two columns in time order: timestamps in milliseconds and values
 * (staleness markers included, see {@link org.inferometer.model.StalenessMarker}). Grows as needed
 * and is meant to be cleared and filled again. Not thread-safe.
 */
public final class SampleColumns {
  private long[] timestampsMs;
  private double[] values;
  private int size;

  public SampleColumns() {
    this(256);
  }

  public SampleColumns(int capacity) {
    timestampsMs = new long[capacity];
    values = new double[capacity];
  }

  public int size() {
    return size;
  }

  public void clear() {
    size = 0;
  }

  public void add(long timestampMs, double value) {
    if (size == timestampsMs.length) {
      int capacity = Math.max(16, size * 2);
      timestampsMs = Arrays.copyOf(timestampsMs, capacity);
      values = Arrays.copyOf(values, capacity);
    }
    timestampsMs[size] = timestampMs;
    values[size++] = value;
  }

  public long timestampMs(int index) {
    return timestampsMs[index];
  }

  public double value(int index) {
    return values[index];
  }

  /** The backing array; only the first {@link #size} elements count. Valid until the next add. */
  public long[] timestampsMs() {
    return timestampsMs;
  }

  /** The backing array; only the first {@link #size} elements count. Valid until the next add. */
  public double[] values() {
    return values;
  }
}
