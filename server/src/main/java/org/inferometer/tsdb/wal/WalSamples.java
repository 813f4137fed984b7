package org.inferometer.tsdb.wal;

import java.util.Arrays;

/** Float samples of many series as columns, to be filled, cleared and filled again. */
public final class WalSamples {
  /** What a sample takes. */
  static final int BYTES = 3 * Long.BYTES;

  private long[] refs = new long[256];
  private long[] timestampsMs = new long[256];
  private double[] values = new double[256];
  private int size;

  public int size() {
    return size;
  }

  public void clear() {
    size = 0;
  }

  public void add(long ref, long timestampMs, double value) {
    if (size == refs.length) {
      refs = Arrays.copyOf(refs, 2 * size);
      timestampsMs = Arrays.copyOf(timestampsMs, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
    }
    refs[size] = ref;
    timestampsMs[size] = timestampMs;
    values[size++] = value;
  }

  public long ref(int index) {
    return refs[index];
  }

  public long timestampMs(int index) {
    return timestampsMs[index];
  }

  public double value(int index) {
    return values[index];
  }
}
