package org.inferometer.tsdb;

import java.util.Arrays;
import org.inferometer.histogram.NativeHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Samples that are replayed, as columns in the order of the log, and a deletion behind them. Before
 * they are put in they are ordered by series: a log has one sample of each of thousands of series
 * after the other, and going from series to series for each would wait for memory most of the time.
 * The samples of one series stay in the order of the log.
 */
final class ReplayBatch {
  private static final int CAPACITY_FIRST = 1_024;

  /** Ids may be this many times as many as the samples; sparser ones stay as they are. */
  private static final int SPARSE_MAX = 8;

  private final int capacityMax;
  private long[] ids;
  private long[] timestampsMs;
  private double[] values;
  private @Nullable NativeHistogram @Nullable [] histograms;
  private int size;

  private long deletedId;
  private long deletedMinMs;
  private long deletedMaxMs;
  private boolean isLast;

  /** Indexes by series, and where the next of a series goes. */
  private int[] order = {};

  private int[] places = {};
  private int runStart;
  private final SampleRun run = new SampleRun();

  ReplayBatch(int capacityMax) {
    this.capacityMax = capacityMax;
    int capacity = Math.min(CAPACITY_FIRST, capacityMax);
    ids = new long[capacity];
    timestampsMs = new long[capacity];
    values = new double[capacity];
  }

  /** Empties it; what it has room for stays. */
  void clear() {
    size = 0;
    deletedId = 0;
    histograms = null;
    runStart = 0;
  }

  boolean isFull() {
    return size == capacityMax;
  }

  void add(long id, long timestampMs, double value, @Nullable NativeHistogram histogram) {
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

  /** Notes what is deleted once the samples are in. */
  void delete(long id, long minMs, long maxMs) {
    deletedId = id;
    deletedMinMs = minMs;
    deletedMaxMs = maxMs;
  }

  /** The id of the series of which something is deleted; 0 for none. */
  long deletedId() {
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

  /**
   * Orders the samples by series.
   *
   * @param idStep all ids are the same modulo this power of two
   */
  void sort(int idStep) {
    runStart = 0;
    if (order.length < size) {
      order = new int[ids.length];
    }
    long idMin = Long.MAX_VALUE;
    long idMax = 0;
    for (int i = 0; i < size; i++) {
      idMin = Math.min(idMin, ids[i]);
      idMax = Math.max(idMax, ids[i]);
    }
    int shift = Integer.numberOfTrailingZeros(idStep);
    if (size > 0 && (idMax - idMin) >>> shift < (long) SPARSE_MAX * size) {
      count(idMin, shift, (int) ((idMax - idMin) >>> shift) + 1);
    } else {
      Arrays.setAll(order, i -> i);
    }
  }

  private void count(long idMin, int shift, int idCount) {
    if (places.length < idCount) {
      places = new int[Math.max(idCount, ids.length)];
    }
    Arrays.fill(places, 0, idCount, 0);
    for (int i = 0; i < size; i++) {
      places[(int) ((ids[i] - idMin) >>> shift)]++;
    }
    int before = 0;
    for (int i = 0; i < idCount; i++) {
      int count = places[i];
      places[i] = before;
      before += count;
    }
    for (int i = 0; i < size; i++) {
      order[places[(int) ((ids[i] - idMin) >>> shift)]++] = i;
    }
  }

  /** The next samples that are of one series, in the order of {@link #sort}; null behind the last. */
  @Nullable SampleRun nextRun() {
    if (runStart == size) {
      return null;
    }
    long id = ids[order[runStart]];
    int end = runStart + 1;
    while (end < size && ids[order[end]] == id) {
      end++;
    }
    run.begin(id, end - runStart);
    for (int i = runStart; i < end; i++) {
      int from = order[i];
      run.add(timestampsMs[from], values[from], histograms == null ? null : histograms[from]);
    }
    runStart = end;
    return run;
  }
}
