package org.inferometer.tsdb;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.inferometer.histogram.NativeHistogram;
import org.jspecify.annotations.Nullable;

/**
 * A part of the series of a head that is replayed, with a thread that puts in their samples. Fed by
 * one other thread.
 */
final class ReplayShard implements AutoCloseable {
  private static final int QUEUED_MAX = 1;

  /** Samples in the batches that are filled, so that each series of many has some in each. */
  private static final int BATCHED_MAX = 1 << 19;

  private static final int BATCHED_MIN = 1 << 13;

  /** Of the head's memory: the batches then take a sixth of it at most. */
  private static final int BYTES_PER_BATCHED = 6 * 64;

  private final SeriesIndex index;
  private final HeadWrite write;
  private final Consumer<HeadWrite> onChange;
  private final BlockingQueue<ReplayBatch> queue = new ArrayBlockingQueue<>(QUEUED_MAX);
  private final BlockingQueue<ReplayBatch> spare = new ArrayBlockingQueue<>(QUEUED_MAX + 2);
  private final Thread thread;
  private final ReplayRuns runs;
  private final int batchMax;
  private ReplayBatch filling;

  // Of the thread; read when it has ended.
  private long samples;
  private long strays;
  private @Nullable RuntimeException failure;

  /**
   * @param shardCount a power of two: ids of one shard differ by multiples of it
   * @param batchMax so many samples are ordered by series before they are put in
   * @param onChange is told after each batch what changed
   */
  ReplayShard(
      SeriesIndex index,
      HeadWrite write,
      int shardCount,
      int batchMax,
      Consumer<HeadWrite> onChange) {
    this.index = index;
    this.write = write;
    this.runs = new ReplayRuns(shardCount);
    this.batchMax = batchMax;
    this.onChange = onChange;
    filling = new ReplayBatch(batchMax);
    thread = Thread.ofPlatform().name("replay").daemon().start(this::work);
  }

  /** As many as there are threads, or somewhat fewer. */
  static ReplayShard[] of(
      SeriesIndex index, int threads, HeadOptions options, Consumer<HeadWrite> onChange) {
    ReplayShard[] shards = new ReplayShard[Integer.highestOneBit(threads)];
    long batch = Math.clamp(options.bytesMax() / BYTES_PER_BATCHED, BATCHED_MIN, BATCHED_MAX);
    int batchMax = (int) batch / shards.length;
    Arrays.setAll(
        shards,
        i -> new ReplayShard(index, new HeadWrite(options), shards.length, batchMax, onChange));
    return shards;
  }

  /** Adds a sample; says whether a batch was handed over. */
  boolean add(int id, long timestampMs, double value, @Nullable NativeHistogram histogram) {
    filling.add(id, timestampMs, value, histogram);
    if (filling.isFull()) {
      handOver();
      return true;
    }
    return false;
  }

  void delete(int id, long minMs, long maxMs) {
    filling.delete(id, minMs, maxMs);
    handOver();
  }

  private void handOver() {
    try {
      queue.put(filling);
      ReplayBatch next = spare.poll();
      filling = next == null ? new ReplayBatch(batchMax) : next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while replaying", e);
    }
  }

  /** Waits until all is put in. */
  void finish() {
    filling.setLast();
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
        ReplayBatch batch = queue.take();
        isLast = batch.isLast();
        if (failure == null) {
          put(batch);
        }
        batch.clear();
        spare.offer(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // given up
    }
  }

  private void put(ReplayBatch batch) {
    try {
      runs.begin(batch);
      for (SampleRun run = runs.next(batch); run != null; run = runs.next(batch)) {
        put(run);
      }
      HeadSeries deleted = batch.deletedId() == 0 ? null : index.byId(batch.deletedId());
      if (deleted != null) {
        deleted.delete(batch.deletedMinMs(), batch.deletedMaxMs(), write);
      }
      onChange.accept(write);
      write.clearChanges();
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void put(SampleRun run) {
    HeadSeries series = index.byId(run.id());
    if (series == null) {
      strays += run.size();
    } else {
      samples += series.restore(run, write);
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
