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
    reserve(1);
    timestampsMs[size] = timestampMs;
    values[size++] = value;
  }

  /**
   * Puts a sample at its place in time, replacing one with the same timestamp. Cheap at the end,
   * linear elsewhere.
   */
  public void put(long timestampMs, double value) {
    if (size == 0 || timestampMs > timestampsMs[size - 1]) {
      add(timestampMs, value);
      return;
    }
    int index = firstAtOrAfter(timestampMs);
    if (timestampsMs[index] != timestampMs) {
      reserve(1);
      System.arraycopy(timestampsMs, index, timestampsMs, index + 1, size - index);
      System.arraycopy(values, index, values, index + 1, size - index);
      timestampsMs[index] = timestampMs;
      size++;
    }
    values[index] = value;
  }

  /** The index of the first sample at that time or later; {@link #size} if there is none. */
  public int firstAtOrAfter(long timestampMs) {
    return firstAtOrAfter(timestampMs, 0);
  }

  /** The same among the elements from an index on; those before needn't be in order with them. */
  public int firstAtOrAfter(long timestampMs, int fromIndex) {
    int low = fromIndex;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (timestampsMs[middle] < timestampMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Makes room for more elements, so that a decoder can write them into the backing arrays from
   * index {@link #size} on and tell so with {@link #resize}.
   */
  public void reserve(int count) {
    int needed = Math.addExact(size, count);
    if (needed > timestampsMs.length) {
      int capacity = Math.max(Math.max(16, needed), size * 2);
      timestampsMs = Arrays.copyOf(timestampsMs, capacity);
      values = Arrays.copyOf(values, capacity);
    }
  }

  /** Sets the number of elements that count; those beyond the old size are as the arrays hold. */
  public void resize(int newSize) {
    if (newSize < 0 || newSize > timestampsMs.length) {
      throw new IllegalArgumentException(
          "expected 0 to " + timestampsMs.length + " elements, got " + newSize);
    }
    size = newSize;
  }

  /** Removes the elements with {@code fromIndex <= index < toIndex}. */
  public void remove(int fromIndex, int toIndex) {
    System.arraycopy(timestampsMs, toIndex, timestampsMs, fromIndex, size - toIndex);
    System.arraycopy(values, toIndex, values, fromIndex, size - toIndex);
    size -= toIndex - fromIndex;
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
