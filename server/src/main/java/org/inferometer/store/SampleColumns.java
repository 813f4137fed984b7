package org.inferometer.store;

import java.util.Arrays;
import org.inferometer.histogram.NativeHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Samples of one series as columns in time order: timestamps in milliseconds and values (staleness
 * markers included, see {@link org.inferometer.model.StalenessMarker}), and a third column of
 * native histograms once there is one: such a sample's value is NaN and means nothing. A histogram
 * series goes stale by a float marker as any other. A fourth column holds start times once one is
 * known: when what the sample counts began. Grows as needed and is meant to be cleared and filled
 * again. Not thread-safe.
 */
public final class SampleColumns {
  private long[] timestampsMs;
  private double[] values;
  private @Nullable NativeHistogram @Nullable [] histograms;
  private long @Nullable [] startsMs;
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
    histograms = null;
    startsMs = null;
  }

  public void add(long timestampMs, double value) {
    reserve(1);
    timestampsMs[size] = timestampMs;
    values[size++] = value;
  }

  public void add(long timestampMs, NativeHistogram histogram) {
    add(timestampMs, Double.NaN);
    histogramColumn()[size - 1] = histogram;
  }

  /** Appends the samples of others with {@code from <= index < to}. */
  public void addAll(SampleColumns others, int from, int to) {
    int count = to - from;
    reserve(count);
    System.arraycopy(others.timestampsMs, from, timestampsMs, size, count);
    System.arraycopy(others.values, from, values, size, count);
    if (others.histograms != null) {
      System.arraycopy(others.histograms, from, histogramColumn(), size, count);
    }
    if (others.startsMs != null) {
      System.arraycopy(others.startsMs, from, startColumn(), size, count);
    }
    size += count;
  }

  private long[] startColumn() {
    if (startsMs == null) {
      startsMs = new long[timestampsMs.length];
    }
    return startsMs;
  }

  private @Nullable NativeHistogram[] histogramColumn() {
    if (histograms == null) {
      histograms = new NativeHistogram[timestampsMs.length];
    }
    return histograms;
  }

  /** Whether any sample may be a histogram. */
  public boolean hasHistograms() {
    return histograms != null;
  }

  /** Whether any sample's start time may be known. */
  public boolean hasStarts() {
    return startsMs != null;
  }

  /** When what a sample counts began, in milliseconds since the epoch; 0 if that isn't known. */
  public long startMs(int index) {
    return startsMs == null ? 0 : startsMs[index];
  }

  /** Sets when what a sample counts began; 0 for not known. */
  public void setStart(int index, long startMs) {
    if (startMs != 0 || startsMs != null) {
      startColumn()[index] = startMs;
    }
  }

  /** How many samples of 16 bytes they weigh, for limits on memory. */
  public long sampleEquivalents() {
    if (histograms == null) {
      return size;
    }
    long total = size;
    for (int i = 0; i < size; i++) {
      NativeHistogram histogram = histograms[i];
      total += histogram == null ? 0 : histogram.sampleEquivalents();
    }
    return total;
  }

  /** Null for a float sample. */
  public @Nullable NativeHistogram histogram(int index) {
    return histograms == null ? null : histograms[index];
  }

  /**
   * Puts a sample at its place in time, replacing one with the same timestamp; its start time isn't
   * known. Cheap at the end, linear elsewhere.
   */
  public void put(long timestampMs, double value) {
    put(timestampMs, value, null);
  }

  /** The same for a histogram. */
  public void put(long timestampMs, NativeHistogram histogram) {
    put(timestampMs, Double.NaN, histogram);
  }

  /**
   * The same for a sample of either kind.
   *
   * @return the sample's index
   */
  public int put(long timestampMs, double value, @Nullable NativeHistogram histogram) {
    int index =
        size == 0 || timestampMs > timestampsMs[size - 1] ? size : firstAtOrAfter(timestampMs);
    if (index == size || timestampsMs[index] != timestampMs) {
      insert(index, timestampMs);
    }
    values[index] = value;
    if (histogram != null || histograms != null) {
      histogramColumn()[index] = histogram;
    }
    setStart(index, 0);
    return index;
  }

  /** Puts another histogram in the place of one, of the same time. */
  public void replace(int index, NativeHistogram histogram) {
    if (index >= size || histogram(index) == null) {
      throw new IllegalArgumentException("expected the index of a histogram, got " + index);
    }
    histogramColumn()[index] = histogram;
  }

  private void insert(int index, long timestampMs) {
    reserve(1);
    move(index, index + 1);
    timestampsMs[index] = timestampMs;
    size++;
  }

  /** Moves the elements from an index on to another one. */
  private void move(int from, int to) {
    System.arraycopy(timestampsMs, from, timestampsMs, to, size - from);
    System.arraycopy(values, from, values, to, size - from);
    if (histograms != null) {
      System.arraycopy(histograms, from, histograms, to, size - from);
    }
    if (startsMs != null) {
      System.arraycopy(startsMs, from, startsMs, to, size - from);
    }
  }

  /** Copies an element over another one. */
  public void copy(int from, int to) {
    timestampsMs[to] = timestampsMs[from];
    values[to] = values[from];
    if (histograms != null) {
      histograms[to] = histograms[from];
    }
    if (startsMs != null) {
      startsMs[to] = startsMs[from];
    }
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
      if (histograms != null) {
        histograms = Arrays.copyOf(histograms, capacity);
      }
      if (startsMs != null) {
        startsMs = Arrays.copyOf(startsMs, capacity);
      }
    }
    if (histograms != null) {
      Arrays.fill(histograms, size, needed, null);
    }
    if (startsMs != null) {
      Arrays.fill(startsMs, size, needed, 0);
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
    move(toIndex, fromIndex);
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
