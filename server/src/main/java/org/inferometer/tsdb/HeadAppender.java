package org.inferometer.tsdb;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.wal.EncodedRecords;
import org.jspecify.annotations.Nullable;

/** A batch of samples for a {@link Head}, held in columns until it is committed. */
final class HeadAppender implements Appender {
  private static final int CAPACITY_FIRST = 256;

  /** Places in the log: floats, histograms, and the same of those that are late. */
  private static final int LATE = 2;

  private record PendingExemplar(Labels series, Exemplar exemplar) {}

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
  private List<PendingExemplar> exemplars = List.of();

  /** Whether a sample is older than another of its series. */
  private boolean hasOlder;

  private int lateCount;
  private long committedMinMs = Long.MAX_VALUE;
  private long committedMaxMs = Long.MIN_VALUE;

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
    int twin = pending < 0 ? -1 : find(target, timestampMs, pending);
    if (twin >= 0) {
      return HeadSeries.isSame(values[twin], histogramAt(twin), value, histogram)
          ? AppendOutcome.SAME
          : AppendOutcome.DUPLICATE;
    }
    long newestPendingMs = pending < 0 ? Long.MIN_VALUE : timestampsMs[pending];
    AppendOutcome outcome = target.reserve(timestampMs, value, histogram, newestPendingMs, write);
    if (outcome == AppendOutcome.ACCEPTED) {
      hold(target, timestampMs, value, histogram);
      if (pending < 0 || timestampMs > newestPendingMs) {
        setNewest(slot, pending < 0);
      } else {
        hasOlder = true;
      }
    }
    return outcome;
  }

  /** The sample of a series and time that is held already, if the newest is known; -1 for none. */
  private int find(HeadSeries target, long timestampMs, int pending) {
    if (timestampMs >= timestampsMs[pending]) {
      return timestampMs == timestampsMs[pending] ? pending : -1;
    }
    for (int i = size - 1; i >= 0; i--) {
      if (timestampsMs[i] == timestampMs && isIdentical(series[i], target)) {
        return i;
      }
    }
    return -1;
  }

  @SuppressWarnings("ReferenceEquality") // there is one object for each series
  private static boolean isIdentical(HeadSeries a, HeadSeries b) {
    return a == b;
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
  public void exemplar(Labels owner, Exemplar exemplar) {
    checkOpen();
    if (exemplars.isEmpty()) {
      exemplars = new ArrayList<>();
    }
    exemplars.add(new PendingExemplar(owner, exemplar));
  }

  @Override
  public void commit() {
    checkOpen();
    isEnded = true;
    HeadLog log = head.log();
    if (log == null) {
      change(size, null, null);
    } else {
      commit(log);
    }
    exemplars.forEach(one -> head.exemplars().add(one.series(), one.exemplar()));
    head.committed(write, outcomes, committedMinMs, committedMaxMs);
  }

  /** Writes the log, and then changes memory in the order of the log. */
  private void commit(HeadLog log) {
    boolean isPlain = size > 0 && histograms == null && exemplars.isEmpty() && !hasOlder;
    EncodedRecords encoded = isPlain ? log.encode(series, timestampsMs, values, size) : null;
    log.lock();
    try {
      if (encoded != null && log.takesInOrder(series, timestampsMs, size)) {
        log.write(encoded);
        change(size, null, log);
      } else {
        commitAny(log);
      }
    } catch (IOException e) {
      release(0, size, null);
      outcomes.turn(AppendOutcome.ACCEPTED, AppendOutcome.NO_ROOM);
      head.count(outcomes);
      throw new StoreException("the batch isn't kept: its log failed: " + e.getMessage(), e);
    } finally {
      log.unlock();
    }
  }

  private void commitAny(HeadLog log) throws IOException {
    log.clear();
    int[] order = addTo(log);
    exemplars.forEach(one -> addTo(log, one));
    change(log.write() ? size : giveUpLate(order), order, log);
  }

  /**
   * Adds all samples to what the log writes next.
   *
   * @return the order in which the log will have them, late ones last; null for that of the columns
   */
  private int @Nullable [] addTo(HeadLog log) {
    byte[] places = null;
    for (int i = 0; i < size; i++) {
      NativeHistogram histogram = histogramAt(i);
      int place = histogram == null ? 0 : 1;
      if (log.add(series[i], timestampsMs[i], values[i], histogram, write.scratch())) {
        place += LATE;
        lateCount++;
      }
      if (place != 0 && places == null) {
        places = new byte[size];
      }
      if (places != null) {
        places[i] = (byte) place;
      }
    }
    return places == null ? null : sorted(places);
  }

  private static int[] sorted(byte[] places) {
    int[] order = new int[places.length];
    int n = 0;
    for (int place = 0; place < 2 * LATE; place++) {
      for (int i = 0; i < places.length; i++) {
        if (places[i] == place) {
          order[n++] = i;
        }
      }
    }
    return order;
  }

  private void addTo(HeadLog log, PendingExemplar pending) {
    HeadSeries owner = head.byLabels(pending.series());
    if (owner != null && head.exemplars().isNew(pending.series(), pending.exemplar())) {
      log.add(owner, pending.exemplar());
    }
  }

  /** Gives up the late samples, which aren't in the log; returns how many others there are. */
  private int giveUpLate(int @Nullable [] order) {
    int kept = size - lateCount;
    release(kept, size, order);
    outcomes.add(AppendOutcome.ACCEPTED, -lateCount);
    outcomes.add(AppendOutcome.NO_ROOM, lateCount);
    return kept;
  }

  private void release(int from, int to, int @Nullable [] order) {
    for (int i = from; i < to; i++) {
      series[order == null ? i : order[i]].release();
    }
  }

  /** Changes memory by the first samples in an order. */
  private void change(int count, int @Nullable [] order, @Nullable HeadLog log) {
    write.begin(head.isolation().begin());
    int done = 0;
    try {
      while (done < count) {
        int i = order == null ? done : order[done];
        done++;
        changeBy(i, log);
      }
    } finally {
      // Only a fault in here leaves any: their series must not stay reserved for ever.
      release(done, count, order);
      head.isolation().end(write.commit());
    }
  }

  private void changeBy(int i, @Nullable HeadLog log) {
    AppendOutcome outcome = series[i].commit(timestampsMs[i], values[i], histogramAt(i), write);
    if (outcome != AppendOutcome.ACCEPTED) {
      outcomes.add(AppendOutcome.ACCEPTED, -1);
      outcomes.add(outcome, 1);
    } else if (log != null && timestampsMs[i] < log.lateBeforeMs()) {
      log.committed(series[i], timestampsMs[i], values[i], histogramAt(i));
    }
    committedMinMs = Math.min(committedMinMs, timestampsMs[i]);
    committedMaxMs = Math.max(committedMaxMs, timestampsMs[i]);
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
