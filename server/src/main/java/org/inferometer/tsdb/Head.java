package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.MetricMetadata;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.SampleSink;
import org.inferometer.store.StoreException;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.inferometer.tsdb.index.IdSet;
import org.inferometer.tsdb.index.SeriesFinder;
import org.inferometer.tsdb.wal.WalRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest samples, in memory: takes batches, answers queries over what is committed.
 * Thread-safe; appends and queries run beside each other. {@link #maintain} wants to be called
 * every half minute or so.
 *
 * <p>Memory is bounded by {@link HeadOptions#bytesMax}. A head with files moves full chunks to
 * mapped ones, and drops nothing that is in no block. One without, made by {@code new
 * Head(HeadOptions.defaults(), WallClock.system())}, has the committing thread drop the oldest
 * chunks down to nine tenths of it, and series without samples with them, so that what it keeps
 * gets shorter ({@link HeadStats#keptFromMs}). Samples younger than {@link #KEPT_MIN_MS} and the
 * open chunks of series that are still written aren't dropped. If that isn't enough, new series and
 * samples are refused with {@code NO_ROOM} until time has made enough of what is there old.
 *
 * <p>The clock may jump. Retention is counted from the newest sample or the clock, whichever is
 * earlier, so a clock that jumps ahead drops nothing by itself; samples that lie further ahead than
 * {@link HeadOptions#futureLimitMs} after it has jumped back are dropped, since they would keep
 * their series from taking any.
 */
public final class Head implements SampleSink, Queryable {
  /** Never dropped for want of room: as far as an instant query looks back. */
  static final long KEPT_MIN_MS = 300_000;

  /** A querier that stays open longer puts a cut off. */
  private static final long CUT_WAIT_MS = 300_000;

  /** Samples that are too far ahead of the clock for so long are taken for wrong. */
  private static final long AHEAD_WAIT_MS = 120_000;

  private static final int DELETIONS_AT_ONCE = 10_000;

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
  private final ExemplarRing exemplars;
  private final Map<String, MetricMetadata> metadata = new ConcurrentHashMap<>();

  /** Null in memory only, as are those that replaying makes. */
  private @Nullable HeadFiles files;

  private volatile @Nullable HeadLog log;
  private volatile @Nullable HeadChunks mapped;
  private volatile @Nullable HeadCuts cuts;

  /** Guards the files of mapped chunks. Lock order: the last but a series. */
  private final ReentrantLock mapping = new ReentrantLock();

  private volatile String mapTrouble = "";
  private long replayBytesMax;

  /** Since when samples are too far ahead of the clock; guarded by {@code dropping}. */
  private long aheadSinceMs = Long.MAX_VALUE;

  private volatile long keptFromMs = Long.MIN_VALUE;
  private volatile boolean isFull;

  /** Dropping didn't free what it should: not tried again before the next maintenance. */
  private volatile boolean isTight;

  public Head(HeadOptions options, WallClock clock) {
    this.options = options;
    this.clock = clock;
    this.exemplars = new ExemplarRing(options.exemplarsMax());
  }

  @Override
  public Appender appender() {
    long now = clock.nowMs();
    long oldest = Math.max(now - options.retentionMs(), oldestTaken(now));
    if (files != null && log == null) {
      throw new StoreException(files.folder() + ": it is opened to be read only");
    }
    return new HeadAppender(this, new HeadWrite(options), oldest, now + options.futureLimitMs());
  }

  /** Behind where a durable head was cut, late samples are taken as long as the window is. */
  private long oldestTaken(long nowMs) {
    HeadLog to = log;
    if (to == null) {
      return keptFromMs;
    }
    // A clock that was ahead for a while may have had the head cut where it will be only later.
    long newest = maxMs.get() == Long.MIN_VALUE ? nowMs : Math.min(nowMs, maxMs.get());
    return Math.min(to.lateBeforeMs(), newest - options.outOfOrderWindowMs());
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
    this.files = files;
  }

  /**
   * Reads the logs, cuts off what is damaged, and begins new segments.
   *
   * @param blocksEndMs samples in order before this are in blocks already and passed over; {@link
   *     Long#MIN_VALUE} for none
   */
  ReplayReport replay(long blocksEndMs) throws IOException {
    return replay(blocksEndMs, Runtime.getRuntime().availableProcessors());
  }

  ReplayReport replay(long blocksEndMs, int threads) throws IOException {
    HeadFiles from = durable(files);
    mapped = new HeadChunks(from.disk(), chunkFolder(from), options.chunkRangeMs(), isolation);
    cuts = new HeadCuts(options.chunkRangeMs(), blocksEndMs);
    replayBytesMax = options.bytesMax() / 4;
    ReplayShard[] shards = ReplayShard.of(index, threads, options, this::apply);
    try (HeadReplay replay =
        new HeadReplay(
            index, from, blocksEndMs, exemplars, metadata, shards, this::makeRoomInReplay)) {
      replay.run();
      PrometheusLeftovers leftovers = new PrometheusLeftovers(from.disk(), from.folder());
      List<HeadLog.LateSample> rescued = new ArrayList<>();
      if (replay.isDamaged()) {
        leftovers.forEachChunk(
            (ref, isLate, chunk) ->
                rescue(replay.byRef(ref), isLate ? Long.MIN_VALUE : blocksEndMs, chunk, rescued),
            replay.problems());
      }
      measureTimes();
      if (!from.isReadOnly()) {
        openLog(from, replay, blocksEndMs, rescued);
        leftovers.remove(replay.isDamaged());
      }
      return new ReplayReport(
          index.seriesCount(),
          replay.samples() + rescued.size(),
          replay.readBytes(),
          replay.problems());
    }
  }

  private static Path chunkFolder(HeadFiles files) throws IOException {
    return files.isReadOnly()
        ? Files.createTempDirectory("inferometer-head-")
        : files.folder().resolve(HeadChunks.FOLDER);
  }

  private void rescue(
      @Nullable HeadSeries series, long fromMs, Chunk chunk, List<HeadLog.LateSample> rescued) {
    if (series == null) {
      return;
    }
    SampleColumns columns = new SampleColumns();
    chunk.read(fromMs, Long.MAX_VALUE, columns);
    HeadWrite write = new HeadWrite(options);
    for (int i = 0; i < columns.size(); i++) {
      long t = columns.timestampMs(i);
      double value = columns.value(i);
      NativeHistogram histogram = columns.histogram(i);
      if (series.restore(t, value, histogram, write) == AppendOutcome.ACCEPTED) {
        rescued.add(new HeadLog.LateSample(series, t, value, histogram));
      }
    }
    apply(write);
  }

  private void openLog(
      HeadFiles from, HeadReplay replay, long blocksEndMs, List<HeadLog.LateSample> rescued)
      throws IOException {
    HeadLog opened = new HeadLog(from, blocksEndMs, replay.lateMinMs());
    replay.aliases().forEach((ref, series) -> opened.forget(ref, series.maxMs()));
    opened.rescue(rescued);
    log = opened;
  }

  /** Full chunks don't stay on the heap while the log is read. */
  private void makeRoomInReplay() {
    if (chunkBytes.get() > replayBytesMax) {
      mapQuietly();
      replayBytesMax = Math.max(replayBytesMax, chunkBytes.get() + options.bytesMax() / 8);
    }
  }

  private static <T> T durable(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("expected a head with files that was replayed");
    }
    return part;
  }

  /** The stretches that should be made blocks now, the earliest first. */
  List<BlockCut> cuts(long nowMs) {
    HeadCuts all = durable(cuts);
    synchronized (all) {
      // Without room there may be no newer samples: then what is there goes by the clock.
      boolean isShort = memoryBytes() > options.bytesMax() / 10 * 9;
      long newest = isShort ? nowMs : Math.min(nowMs, maxMs.get());
      return all.due(index, minMs.get(), newest, nowMs);
    }
  }

  /**
   * Notes that a stretch is about to be made a block of what {@link #series} says from now on, and
   * will be dropped by {@link #cutTo}. Samples that come later are kept apart.
   */
  void give(BlockCut cut) {
    HeadCuts all = durable(cuts);
    HeadLog to = durable(log);
    synchronized (all) {
      to.lock();
      to.beginCut(cut.maxMs());
      to.unlock();
      all.give(cut);
    }
  }

  /** Notes that there is no block of a stretch that was given. */
  void takeBack(BlockCut cut) {
    HeadCuts all = durable(cuts);
    synchronized (all) {
      all.takeBack(cut);
    }
  }

  /**
   * All series in label order that have chunks from a time to before another, with these. Chunks
   * can be read as long as a querier is open that was opened before.
   */
  Iterator<SeriesChunks> series(long fromMs, long toMs) {
    return HeadCuts.series(index, fromMs, toMs);
  }

  /**
   * Drops the samples before a time that are in blocks, as {@link #give} noted, from memory and the
   * logs. Series without samples go too. Waits for queriers that were opened before, but not for
   * ever.
   *
   * @return false if it gave up waiting; {@link #maintain} then tries again
   */
  boolean cutTo(long fromMs) throws IOException {
    return cutTo(fromMs, CUT_WAIT_MS);
  }

  boolean cutTo(long fromMs, long waitMs) throws IOException {
    HeadCuts all = durable(cuts);
    synchronized (all) {
      all.begin(fromMs);
    }
    try {
      if (!isolation.awaitClosed(isolation.openViews(), waitMs)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    dropping.lock();
    try {
      cut(fromMs, all, durable(log));
      return true;
    } finally {
      dropping.unlock();
    }
  }

  private void cut(long fromMs, HeadCuts all, HeadLog from) throws IOException {
    HeadWrite write = new HeadWrite(options);
    LongPredicate isDropped = minMs -> all.isDropped(minMs, fromMs);
    from.lock();
    try {
      dropChunks(isDropped, write);
      boolean goesOn = all.end(fromMs);
      for (HeadLog.LateSample late : from.takeTracked(fromMs, goesOn)) {
        late.series().restore(late.timestampMs(), late.value(), late.histogram(), write);
      }
      apply(write);
      from.rewriteLate(fromMs, index);
    } finally {
      from.unlock();
    }
    removeEmpty();
    measureTimes();
    isTight = false;
    isFull = memoryBytes() > options.bytesMax();
    from.checkpoint(index, fromMs);
  }

  /** Nothing is mapped meanwhile: it would come to a file that goes. */
  private void dropChunks(LongPredicate isDropped, HeadWrite write) throws IOException {
    mapping.lock();
    try {
      index.forEach(series -> series.dropChunks(isDropped, write));
      durable(mapped).drop(isDropped);
    } finally {
      mapping.unlock();
    }
  }

  /** Moves full chunks to files that are mapped. */
  void mapFullChunks() throws IOException {
    HeadChunks into = durable(mapped);
    HeadWrite write = new HeadWrite(options);
    mapping.lock();
    try {
      into.move(index, write);
      mapTrouble = "";
    } catch (IOException e) {
      mapTrouble = "can't map chunks, they stay in memory: " + e.getMessage();
      throw e;
    } finally {
      apply(write);
      mapping.unlock();
    }
  }

  private void mapQuietly() {
    try {
      mapFullChunks();
    } catch (IOException e) {
      // It is in trouble().
      return;
    }
  }

  /**
   * Removes from the log what is in blocks. Without it, what is deleted there would be read from
   * the log again once no block says any more that it has that time.
   */
  void removeCutFromLog() throws IOException {
    dropping.lock();
    try {
      durable(log).checkpointAll(index, durable(cuts).cutMs());
    } finally {
      dropping.unlock();
    }
  }

  /** Deletes the samples of series that pass, ends included; in the log first. */
  void delete(List<Matcher> matchers, long minMs, long maxMs) throws IOException {
    dropping.lock();
    try {
      IdSet ids = new SeriesFinder(index).find(matchers);
      List<WalRecord.Deletion> deletions = new ArrayList<>();
      for (int i = 0; i < ids.size(); i++) {
        HeadSeries series = index.byId(ids.get(i));
        if (series != null && series.minMs() <= maxMs && series.maxMs() >= minMs) {
          // Not beyond its samples: those to come are none of it.
          deletions.add(
              new WalRecord.Deletion(
                  series.id(), Math.max(minMs, series.minMs()), Math.min(maxMs, series.maxMs())));
        }
      }
      for (int i = 0; i < deletions.size(); i += DELETIONS_AT_ONCE) {
        delete(deletions.subList(i, Math.min(deletions.size(), i + DELETIONS_AT_ONCE)));
      }
    } finally {
      dropping.unlock();
    }
    measureTimes();
  }

  private void delete(List<WalRecord.Deletion> deletions) throws IOException {
    HeadLog to = log;
    if (to == null) {
      deleteInMemory(deletions);
      return;
    }
    to.lock();
    try {
      to.delete(deletions);
      deleteInMemory(deletions);
      to.deleteForOthers(deletions);
    } finally {
      to.unlock();
    }
  }

  private void deleteInMemory(List<WalRecord.Deletion> deletions) {
    HeadWrite write = new HeadWrite(options);
    for (WalRecord.Deletion deletion : deletions) {
      HeadSeries series = index.byId(deletion.ref());
      if (series != null) {
        series.delete(deletion.minMs(), deletion.maxMs(), write);
      }
    }
    apply(write);
  }

  /** Makes what was committed last through a power cut. */
  void sync() throws IOException {
    durable(log).sync();
  }

  /** Ends the logs and unmaps files. */
  void close() throws IOException {
    HeadLog ended = log;
    if (ended != null) {
      ended.close();
    }
    mapping.lock();
    try {
      durable(mapped).close();
    } finally {
      mapping.unlock();
    }
  }

  /** The newest exemplars of the batches. */
  public ExemplarRing exemplars() {
    return exemplars;
  }

  /** What the log says of metrics, by name. */
  Map<String, MetricMetadata> metadata() {
    return Map.copyOf(metadata);
  }

  /** The bytes of the logs. */
  long walBytes() {
    HeadLog of = log;
    return of == null ? 0 : of.sizeBytes();
  }

  /** The bytes of the files of mapped chunks. */
  long mappedBytes() {
    HeadChunks of = mapped;
    mapping.lock();
    try {
      return of == null ? 0 : of.sizeBytes();
    } finally {
      mapping.unlock();
    }
  }

  /** Commits that couldn't be written since the start. */
  long walFailures() {
    HeadLog of = log;
    return of == null ? 0 : of.failures();
  }

  /** What is wrong now; empty for nothing. */
  String trouble() {
    HeadLog of = log;
    return of == null || of.trouble().isEmpty() ? mapTrouble : of.trouble();
  }

  /** The time of the oldest sample; {@link Long#MAX_VALUE} for none. */
  long minMs() {
    return minMs.get();
  }

  /** The time of the newest sample; {@link Long#MIN_VALUE} for none. */
  long maxMs() {
    return maxMs.get();
  }

  @Nullable HeadLog log() {
    return log;
  }

  @Nullable HeadSeries byLabels(Labels labels) {
    return index.byLabels(labels);
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
      if (log != null) {
        maintainDurable(nowMs);
        return;
      }
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

  private void maintainDurable(long nowMs) {
    try {
      deleteAhead(nowMs);
      HeadCuts all = durable(cuts);
      if (all.pendingMs() > Long.MIN_VALUE) {
        cutTo(all.pendingMs(), 0);
      }
    } catch (IOException e) {
      throw new StoreException("the log failed: " + e.getMessage(), e);
    } finally {
      removeEmpty();
      isTight = false;
      isFull = memoryBytes() > options.bytesMax();
    }
  }

  /** Not at once: a clock that is back for a moment mustn't cost what was kept. */
  private void deleteAhead(long nowMs) throws IOException {
    long limitMs = nowMs + options.futureLimitMs();
    if (maxMs.get() <= limitMs) {
      aheadSinceMs = Long.MAX_VALUE;
    } else if (aheadSinceMs > nowMs) {
      aheadSinceMs = nowMs;
    } else if (nowMs - aheadSinceMs >= AHEAD_WAIT_MS) {
      delete(List.of(), limitMs + 1, Long.MAX_VALUE);
    }
  }

  /** Drops if there is no room, unless another thread is at it. */
  private void makeRoom(long neededBytes) {
    if (memoryBytes() + neededBytes <= options.bytesMax()) {
      return;
    }
    if (!isTight && dropping.tryLock()) {
      try {
        if (mapped == null) {
          dropForRoom(clock.nowMs(), neededBytes);
        } else {
          mapQuietly();
          isTight = memoryBytes() + neededBytes > options.bytesMax() / 10 * 9;
        }
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
    List<HeadSeries> removed = index.removeEmpty();
    seriesRemoved.addAndGet(removed.size());
    HeadLog of = log;
    if (of != null) {
      removed.forEach(series -> of.forget(series.id(), Long.MIN_VALUE));
    }
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
    return HeadCardinality.of(index, limit);
  }
}
