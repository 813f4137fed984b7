package org.inferometer.tsdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.inferometer.io.NotThereYet;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleSink;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.jspecify.annotations.Nullable;

/**
 * The newest samples, in memory: takes batches, answers queries over what is committed.
 * Thread-safe; appends and queries run beside each other. Made by {@code new
 * Head(HeadOptions.defaults(), WallClock.system())}, and {@link #maintain} wants to be called every
 * half minute or so.
 *
 * <p>Memory is bounded. When chunks and index reach {@link HeadOptions#bytesMax}, the committing
 * thread drops the oldest chunks down to nine tenths of it, and series without samples with them,
 * so that what the head keeps gets shorter ({@link HeadStats#keptFromMs}). Samples younger than
 * {@link #KEPT_MIN_MS} and the open chunks of series that are still written aren't dropped. If that
 * isn't enough, new series and samples are refused with {@code NO_ROOM} until time has made enough
 * of what is there old.
 *
 * <p>The clock may jump. Retention is counted from the newest sample or the clock, whichever is
 * earlier, so a clock that jumps ahead drops nothing by itself; samples that lie further ahead than
 * {@link HeadOptions#futureLimitMs} after it has jumped back are dropped, since they would keep
 * their series from taking any.
 */
public final class Head implements SampleSink, Queryable {
  /** Never dropped for want of room: as far as an instant query looks back. */
  static final long KEPT_MIN_MS = 300_000;

  private final HeadOptions options;
  private final WallClock clock;
  private final SeriesIndex index = new SeriesIndex();
  private final Isolation isolation = new Isolation();

  /** One thread at a time drops. Lock order: this, then the index's, then a series. */
  private final ReentrantLock dropping = new ReentrantLock();

  /** Guarded by its monitor. */
  private final OutcomeCounts samples = new OutcomeCounts();

  private final AtomicLong chunks = new AtomicLong();
  private final AtomicLong chunkBytes = new AtomicLong();
  private final AtomicLong seriesRemoved = new AtomicLong();
  private final AtomicLong seriesRefused = new AtomicLong();
  private final AtomicLong roomDrops = new AtomicLong();
  private final AtomicLong minMs = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong maxMs = new AtomicLong(Long.MIN_VALUE);
  private volatile long keptFromMs = Long.MIN_VALUE;
  private volatile boolean isFull;

  /** Dropping didn't free what it should: not tried again before the next maintenance. */
  private volatile boolean isTight;

  public Head(HeadOptions options, WallClock clock) {
    this.options = options;
    this.clock = clock;
  }

  @Override
  public Appender appender() {
    long now = clock.nowMs();
    long oldest = Math.max(now - options.retentionMs(), keptFromMs);
    return new HeadAppender(this, new HeadWrite(options), oldest, now + options.futureLimitMs());
  }

  @Override
  public Querier querier(long minMs, long maxMs) {
    return new HeadQuerier(index, isolation, minMs, maxMs);
  }

  /**
   * A durable head: batches are in its log before they are seen. {@link #replay} is called once
   * before anything else.
   */
  Head(HeadOptions options, WallClock clock, HeadFiles files) {
    this(options, clock);
    NotThereYet.now();
  }

  /**
   * Reads the logs, cuts off what is damaged, and begins new segments.
   *
   * @param blocksEndMs samples in order before this are in blocks already and passed over; {@link
   *     Long#MIN_VALUE} for none
   */
  ReplayReport replay(long blocksEndMs) throws IOException {
    return NotThereYet.now();
  }

  /** The stretches that should be made blocks now, the earliest first. */
  List<BlockCut> cuts(long nowMs) {
    return NotThereYet.now();
  }

  /** All series in label order that have chunks from a time to before another, with these. */
  Iterator<SeriesChunks> series(long fromMs, long toMs) {
    return NotThereYet.now();
  }

  /**
   * Drops the samples before a time, which are in blocks now, from memory and the logs. Series
   * without samples go too. Waits for queriers that were opened before.
   */
  void cutTo(long fromMs) throws IOException {
    NotThereYet.now();
  }

  /** Moves full chunks to files that are mapped. */
  void mapFullChunks() throws IOException {
    NotThereYet.now();
  }

  /** Deletes the samples of series that pass, ends included; in the log first. */
  void delete(List<Matcher> matchers, long minMs, long maxMs) throws IOException {
    NotThereYet.now();
  }

  /** Makes what was committed last through a power cut. */
  void sync() throws IOException {
    NotThereYet.now();
  }

  /** Ends the logs and unmaps files. */
  void close() throws IOException {
    NotThereYet.now();
  }

  Isolation isolation() {
    return isolation;
  }

  boolean isFull() {
    return isFull;
  }

  @Nullable HeadSeries byRef(long ref) {
    return index.byId(ref);
  }

  long series(Labels labels) {
    HeadSeries series = index.byLabels(labels);
    // One that is just being removed is found until its removal is done; then it is made anew.
    if (series == null || series.isRemoved()) {
      long needed = SeriesIndex.memoryBytesMax(labels);
      makeRoom(needed);
      series = index.getOrCreate(labels, () -> hasRoom(needed));
    }
    if (series == null) {
      seriesRefused.incrementAndGet();
      return Appender.NO_SERIES;
    }
    return series.id();
  }

  private boolean hasRoom(long neededBytes) {
    return index.seriesCount() < options.seriesMax()
        && memoryBytes() + neededBytes <= options.bytesMax();
  }

  private long memoryBytes() {
    return chunkBytes.get() + index.memoryBytes();
  }

  void count(OutcomeCounts outcomes) {
    synchronized (samples) {
      samples.addAll(outcomes);
    }
  }

  void committed(HeadWrite write, OutcomeCounts outcomes, long firstMs, long lastMs) {
    count(outcomes);
    apply(write);
    minMs.accumulateAndGet(firstMs, Math::min);
    maxMs.accumulateAndGet(lastMs, Math::max);
    makeRoom(0);
  }

  private void apply(HeadWrite write) {
    chunks.addAndGet(write.chunkChange());
    chunkBytes.addAndGet(write.byteChange());
  }

  /**
   * Drops what is past retention or too far ahead, series without samples, and the oldest data if
   * memory is short; opens a full head again when there is room.
   */
  public void maintain(long nowMs) {
    dropping.lock();
    try {
      if (maxMs.get() > nowMs + options.futureLimitMs()) {
        truncateAfter(nowMs + options.futureLimitMs());
      }
      if (keptFromMs > nowMs - KEPT_MIN_MS) {
        keptFromMs = Long.MIN_VALUE;
      }
      long newest = Math.min(nowMs, maxMs.get());
      if (newest > Long.MIN_VALUE + options.retentionMs()) {
        truncateBefore(newest - options.retentionMs());
      }
      removeEmpty();
      dropForRoom(nowMs, 0);
    } finally {
      dropping.unlock();
    }
  }

  /** Drops if there is no room, unless another thread is at it. */
  private void makeRoom(long neededBytes) {
    if (memoryBytes() + neededBytes <= options.bytesMax()) {
      return;
    }
    if (!isTight && dropping.tryLock()) {
      try {
        dropForRoom(clock.nowMs(), neededBytes);
      } finally {
        dropping.unlock();
      }
    }
    isFull = memoryBytes() > options.bytesMax();
  }

  private void dropForRoom(long nowMs, long neededBytes) {
    long target = options.bytesMax() / 10 * 9;
    if (memoryBytes() + neededBytes > options.bytesMax()) {
      long newest = Math.min(nowMs, maxMs.get());
      long from = minMs.get();
      if (from < newest) {
        dropOldest(memoryBytes() + neededBytes - target, from, newest - KEPT_MIN_MS);
      }
      removeEmpty();
    }
    isTight = memoryBytes() + neededBytes > options.bytesMax();
    isFull = memoryBytes() > options.bytesMax();
  }

  private void dropOldest(long bytes, long fromMs, long latestMs) {
    DropPlan plan = new DropPlan(fromMs, Math.max(fromMs, latestMs));
    index.forEach(series -> series.addTo(plan, SeriesIndex.memoryBytesMin(series.labels())));
    long cutoff = Math.min(plan.cutoffMs(bytes), latestMs);
    if (cutoff > fromMs) {
      roomDrops.incrementAndGet();
      keptFromMs = Math.max(keptFromMs, cutoff);
      truncateBefore(cutoff);
    }
  }

  private void truncateBefore(long cutoffMs) {
    if (minMs.get() >= cutoffMs) {
      return;
    }
    HeadWrite write = new HeadWrite(options);
    index.forEach(series -> series.truncateBefore(cutoffMs, write));
    apply(write);
    measureTimes();
  }

  private void truncateAfter(long limitMs) {
    HeadWrite write = new HeadWrite(options);
    index.forEach(series -> series.truncateAfter(limitMs, write));
    apply(write);
    measureTimes();
  }

  /** A commit that runs meanwhile may widen the times again, never narrow them wrongly for long. */
  private void measureTimes() {
    long[] times = {Long.MAX_VALUE, Long.MIN_VALUE};
    index.forEach(
        series -> {
          times[0] = Math.min(times[0], series.minMs());
          times[1] = Math.max(times[1], series.maxMs());
        });
    minMs.set(times[0]);
    maxMs.set(times[1]);
  }

  private void removeEmpty() {
    seriesRemoved.addAndGet(index.removeEmpty());
  }

  public HeadStats stats() {
    Map<AppendOutcome, Long> samplesByOutcome;
    synchronized (samples) {
      samplesByOutcome = samples.toMap();
    }
    return new HeadStats(
        index.seriesCount(),
        index.publishedId(),
        seriesRemoved.get(),
        index.pairCount(),
        chunks.get(),
        memoryBytes(),
        index.memoryBytes(),
        options.bytesMax(),
        samplesByOutcome,
        seriesRefused.get(),
        minMs.get(),
        maxMs.get(),
        keptFromMs,
        roomDrops.get(),
        isFull);
  }

  /** The largest names, labels and pairs, up to a number of each; walks all pairs. */
  public HeadCardinality cardinality(int limit) {
    List<HeadCardinality.Count> metrics = new ArrayList<>();
    List<HeadCardinality.Count> labels = new ArrayList<>();
    List<HeadCardinality.Count> bytes = new ArrayList<>();
    List<HeadCardinality.Count> pairs = new ArrayList<>();
    for (LabelIndex label : index.labels()) {
      labels.add(new HeadCardinality.Count(label.name(), label.valueCount()));
      long valueBytes = 0;
      for (Postings postings : label.all()) {
        valueBytes += (long) postings.size() * postings.value().getBytes(UTF_8).length;
        String pair = label.name() + "=" + postings.value();
        pairs.add(new HeadCardinality.Count(pair, postings.size()));
        if (label.name().equals(Labels.NAME)) {
          metrics.add(new HeadCardinality.Count(postings.value(), postings.size()));
        }
      }
      bytes.add(new HeadCardinality.Count(label.name(), valueBytes));
    }
    return new HeadCardinality(
        largest(metrics, limit),
        largest(labels, limit),
        largest(bytes, limit),
        largest(pairs, limit));
  }

  private static List<HeadCardinality.Count> largest(
      List<HeadCardinality.Count> counts, int limit) {
    return counts.stream()
        .sorted(
            Comparator.comparingLong(HeadCardinality.Count::count)
                .reversed()
                .thenComparing(HeadCardinality.Count::name))
        .limit(limit)
        .toList();
  }
}
