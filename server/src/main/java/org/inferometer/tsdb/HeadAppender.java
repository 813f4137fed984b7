package org.inferometer.tsdb;

import java.util.Arrays;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.jspecify.annotations.Nullable;

/** A batch of samples for a {@link Head}, held in columns until it is committed. */
final class HeadAppender implements Appender {
  private static final int CAPACITY_FIRST = 256;

  private final Head head;
  private final HeadWrite write;
  private final long oldestMs;
  private final long newestMs;
  private final OutcomeCounts outcomes = new OutcomeCounts();
  private HeadSeries[] series = new HeadSeries[CAPACITY_FIRST];
  private long[] timestampsMs = new long[CAPACITY_FIRST];
  private double[] values = new double[CAPACITY_FIRST];

  /** Beside the values; null as long as there is no histogram. */
  private @Nullable NativeHistogram @Nullable [] histograms;

  private int size;
  private boolean isEnded;

  /** Hash table of the index of the newest sample by series, plus one; 0 is free. */
  private int[] newest = new int[2 * CAPACITY_FIRST];

  private int newestCount;

  /**
   * @param oldestMs the earliest time that is taken, and {@code newestMs} the latest
   */
  HeadAppender(Head head, HeadWrite write, long oldestMs, long newestMs) {
    this.head = head;
    this.write = write;
    this.oldestMs = oldestMs;
    this.newestMs = newestMs;
  }

  @Override
  public long series(Labels labels) {
    return head.series(labels);
  }

  @Override
  public AppendOutcome append(long seriesRef, long timestampMs, double value) {
    return append(seriesRef, timestampMs, value, null);
  }

  @Override
  public AppendOutcome append(long seriesRef, long timestampMs, NativeHistogram histogram) {
    // As others write it, the sum tells that the series ended.
    return StalenessMarker.is(histogram.sum())
        ? append(seriesRef, timestampMs, StalenessMarker.VALUE, null)
        : append(seriesRef, timestampMs, Double.NaN, histogram);
  }

  private AppendOutcome append(
      long seriesRef, long timestampMs, double value, @Nullable NativeHistogram histogram) {
    checkOpen();
    AppendOutcome outcome = check(seriesRef, timestampMs, value, histogram);
    outcomes.add(outcome, 1);
    return outcome;
  }

  private void checkOpen() {
    if (isEnded) {
      throw new IllegalStateException("expected an appender that isn't committed or rolled back");
    }
  }

  private AppendOutcome check(
      long seriesRef, long timestampMs, double value, @Nullable NativeHistogram histogram) {
    HeadSeries target = head.byRef(seriesRef);
    if (target == null) {
      return AppendOutcome.UNKNOWN_SERIES;
    }
    if (timestampMs < oldestMs || timestampMs > newestMs) {
      return AppendOutcome.OUT_OF_BOUNDS;
    }
    if (head.isFull()) {
      return AppendOutcome.NO_ROOM;
    }
    int slot = slotOf(target);
    int pending = newest[slot] - 1;
    if (pending >= 0 && timestampsMs[pending] == timestampMs) {
      return HeadSeries.isSame(values[pending], histogramAt(pending), value, histogram)
          ? AppendOutcome.SAME
          : AppendOutcome.DUPLICATE;
    }
    long newestPendingMs = pending < 0 ? Long.MIN_VALUE : timestampsMs[pending];
    AppendOutcome outcome = target.reserve(timestampMs, value, histogram, newestPendingMs, write);
    if (outcome == AppendOutcome.ACCEPTED) {
      hold(target, timestampMs, value, histogram);
      if (pending < 0 || timestampMs > newestPendingMs) {
        setNewest(slot, pending < 0);
      }
    }
    return outcome;
  }

  private @Nullable NativeHistogram histogramAt(int index) {
    return histograms == null ? null : histograms[index];
  }

  private int slotOf(HeadSeries target) {
    int mask = newest.length - 1;
    int slot = ((target.id() * 0x9e3779b9) >>> 7) & mask;
    while (newest[slot] != 0 && series[newest[slot] - 1] != target) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Notes that the sample held last is the newest of its series. */
  private void setNewest(int slot, boolean isFirst) {
    newest[slot] = size;
    if (isFirst && ++newestCount * 2 > newest.length) {
      int[] old = newest;
      newest = new int[2 * old.length];
      for (int entry : old) {
        if (entry != 0) {
          newest[slotOf(series[entry - 1])] = entry;
        }
      }
    }
  }

  private void hold(
      HeadSeries target, long timestampMs, double value, @Nullable NativeHistogram histogram) {
    if (size == series.length) {
      series = Arrays.copyOf(series, 2 * size);
      timestampsMs = Arrays.copyOf(timestampsMs, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
      histograms = histograms == null ? null : Arrays.copyOf(histograms, 2 * size);
    }
    if (histogram != null) {
      histograms = histograms == null ? new NativeHistogram[series.length] : histograms;
      histograms[size] = histogram;
    }
    series[size] = target;
    timestampsMs[size] = timestampMs;
    values[size++] = value;
  }

  @Override
  public void commit() {
    checkOpen();
    isEnded = true;
    write.begin(head.isolation().begin());
    long minMs = Long.MAX_VALUE;
    long maxMs = Long.MIN_VALUE;
    int done = 0;
    try {
      while (done < size) {
        int i = done++;
        AppendOutcome outcome = series[i].commit(timestampsMs[i], values[i], histogramAt(i), write);
        if (outcome != AppendOutcome.ACCEPTED) {
          outcomes.add(AppendOutcome.ACCEPTED, -1);
          outcomes.add(outcome, 1);
        }
        minMs = Math.min(minMs, timestampsMs[i]);
        maxMs = Math.max(maxMs, timestampsMs[i]);
      }
    } finally {
      // Only a fault in here leaves any: their series must not stay reserved for ever.
      for (int i = done; i < size; i++) {
        series[i].release();
      }
      head.isolation().end(write.commit());
      head.committed(write, outcomes, minMs, maxMs);
    }
  }

  @Override
  public void rollback() {
    checkOpen();
    isEnded = true;
    for (int i = 0; i < size; i++) {
      series[i].release();
    }
    head.count(outcomes.rejections());
  }
}
