package org.inferometer.tsdb;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.store.AppendOutcome;
import org.jspecify.annotations.Nullable;

/**
 * A part of the series of a head that is replayed, with a thread that puts in their samples. Fed by
 * one other thread.
 */
final class ReplayShard implements AutoCloseable {
  private static final int BATCH = 8_192;
  private static final int QUEUED_MAX = 4;

  /** Samples as columns, or a deletion behind them. */
  private static final class Work {
    private final long[] ids = new long[BATCH];
    private final long[] timestampsMs = new long[BATCH];
    private final double[] values = new double[BATCH];
    private @Nullable NativeHistogram @Nullable [] histograms;
    private int size;
    private long deletedId;
    private long deletedMinMs;
    private long deletedMaxMs;
    private boolean isLast;

    void clear() {
      size = 0;
      deletedId = 0;
      if (histograms != null) {
        Arrays.fill(histograms, null);
      }
    }
  }

  private final SeriesIndex index;
  private final HeadWrite write;
  private final Consumer<HeadWrite> onChange;
  private final BlockingQueue<Work> queue = new ArrayBlockingQueue<>(QUEUED_MAX);
  private final BlockingQueue<Work> spare = new ArrayBlockingQueue<>(QUEUED_MAX + 2);
  private final Thread thread;
  private Work filling = new Work();

  // Of the thread; read when it has ended.
  private long samples;
  private long strays;
  private @Nullable RuntimeException failure;

  /**
   * @param onChange is told after each batch what changed
   */
  ReplayShard(SeriesIndex index, HeadWrite write, Consumer<HeadWrite> onChange) {
    this.index = index;
    this.write = write;
    this.onChange = onChange;
    thread = Thread.ofPlatform().name("replay").daemon().start(this::work);
  }

  /** Adds a sample; says whether a batch was handed over. */
  boolean add(long id, long timestampMs, double value, @Nullable NativeHistogram histogram) {
    Work work = filling;
    int i = work.size++;
    work.ids[i] = id;
    work.timestampsMs[i] = timestampMs;
    work.values[i] = value;
    if (histogram != null) {
      work.histograms = work.histograms == null ? new NativeHistogram[BATCH] : work.histograms;
      work.histograms[i] = histogram;
    }
    if (work.size < BATCH) {
      return false;
    }
    handOver();
    return true;
  }

  void delete(long id, long minMs, long maxMs) {
    filling.deletedId = id;
    filling.deletedMinMs = minMs;
    filling.deletedMaxMs = maxMs;
    handOver();
  }

  private void handOver() {
    try {
      queue.put(filling);
      Work next = spare.poll();
      filling = next == null ? new Work() : next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while replaying", e);
    }
  }

  /** Waits until all is put in. */
  void finish() {
    filling.isLast = true;
    handOver();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while replaying", e);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void work() {
    try {
      for (boolean isLast = false; !isLast; ) {
        Work work = queue.take();
        isLast = work.isLast;
        if (failure == null) {
          put(work);
        }
        work.clear();
        spare.offer(work);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // given up
    }
  }

  private void put(Work work) {
    try {
      for (int i = 0; i < work.size; i++) {
        NativeHistogram histogram = work.histograms == null ? null : work.histograms[i];
        put(work.ids[i], work.timestampsMs[i], work.values[i], histogram);
      }
      HeadSeries deleted = work.deletedId == 0 ? null : index.byId(work.deletedId);
      if (deleted != null) {
        deleted.delete(work.deletedMinMs, work.deletedMaxMs, write);
      }
      onChange.accept(write);
      write.clearChanges();
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void put(long id, long timestampMs, double value, @Nullable NativeHistogram histogram) {
    HeadSeries series = index.byId(id);
    if (series == null) {
      strays++;
    } else if (series.restore(timestampMs, value, histogram, write) == AppendOutcome.ACCEPTED) {
      samples++;
    }
  }

  /** Samples put in. */
  long samples() {
    return samples;
  }

  /** Samples of series that aren't there. */
  long strays() {
    return strays;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
