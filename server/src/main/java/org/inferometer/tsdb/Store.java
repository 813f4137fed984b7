package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskLock;
import org.inferometer.model.ExemplarSeries;
import org.inferometer.model.Matcher;
import org.inferometer.store.Appender;
import org.inferometer.store.ExemplarSource;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleSink;
import org.inferometer.store.StoreException;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.jspecify.annotations.Nullable;

/**
 * A durable store in a directory of Prometheus's formats: a head with its logs, and blocks.
 * Thread-safe. {@link #maintain} wants to be called every half minute or so; it cuts blocks from
 * the head, compacts and removes what is too old.
 *
 * <p>Lock order: {@link #maintaining}, then what the parts have. Appends and queries don't take it.
 */
public final class Store implements SampleSink, Queryable, ExemplarSource, AutoCloseable {
  private final StoreParts parts;
  private final WallClock clock;
  private final @Nullable DiskLock lock;
  private final long corruptAtStart;

  /** Held for all that changes the list of blocks: one such thing at a time. */
  private final ReentrantLock maintaining = new ReentrantLock();

  private volatile boolean isClosing;
  private volatile boolean isClosed;

  private final HeadCutter cutter;
  private final BlockCompaction compaction;
  private final BlockRemoval removal;
  private final Snapshots snapshots;
  private final BlockDeletion deletion;

  private final Attempt keeping;
  private final Attempt cutting;
  private final Attempt compacting;
  private final Attempt sweeping;

  private Store(
      StoreParts parts,
      WallClock clock,
      @Nullable DiskLock lock,
      long headStartMs,
      long corruptAtStart) {
    this.parts = parts;
    this.clock = clock;
    this.lock = lock;
    this.corruptAtStart = corruptAtStart;
    Compactor compactor =
        new Compactor(parts.disk(), parts.folder().path(), parts.ulids(), () -> isClosing);
    cutter = new HeadCutter(parts, compactor, headStartMs);
    compaction = new BlockCompaction(parts, compactor);
    removal = new BlockRemoval(parts);
    snapshots = new Snapshots(parts, compactor);
    deletion = new BlockDeletion(parts);
    keeping = new Attempt("can't write the newest samples' files", 0, parts.log());
    cutting = attempt("can't make a block of the newest samples");
    compacting = attempt("can't compact blocks");
    sweeping = attempt("can't remove old blocks");
  }

  private Attempt attempt(String what) {
    return new Attempt(what, Attempt.PAUSE_MAX_MS, parts.log());
  }

  /**
   * Opens a directory, which is made if it isn't there, and reads its logs.
   *
   * @param log takes what the operator should know: repairs, what was lost, blocks set aside
   * @throws StoreException if the directory isn't one of a store, another process has it, or it
   *     can't be read; nothing in it was changed then
   */
  public static Store open(StoreOptions options, Disk disk, WallClock clock, Consumer<String> log) {
    return open(options, disk, clock, log, new SplittableRandom());
  }

  static Store open(
      StoreOptions options,
      Disk disk,
      WallClock clock,
      Consumer<String> log,
      RandomGenerator random) {
    StoreFolder folder = new StoreFolder(disk, options.folder());
    try {
      folder.require(options.isReadOnly());
      if (options.isReadOnly()) {
        return open(options, folder, disk, clock, log, random, null);
      }
      disk.createFolders(options.folder());
      DiskLock lock = folder.lock();
      try {
        folder.removeLeftovers(log);
        return open(options, folder, disk, clock, log, random, lock);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw StoreOpening.failed(options.folder(), e);
    }
  }

  private static Store open(
      StoreOptions options,
      StoreFolder folder,
      Disk disk,
      WallClock clock,
      Consumer<String> log,
      RandomGenerator random,
      @Nullable DiskLock lock)
      throws IOException {
    StoreOpening opening = new StoreOpening(disk, folder, options.isReadOnly(), log);
    BlockList blocks = new BlockList();
    List<Block> opened = opening.openBlocks();
    long headStartMs = StoreOpening.endMs(opened, options.blockMs());
    blocks.change(opened, Map.of());
    try {
      HeadFiles files = new HeadFiles(disk, options.folder(), options.isReadOnly(), options.wal());
      Head head = new Head(options.head(), clock, files);
      ReplayReport report = head.replay(headStartMs);
      report.problems().forEach(log);
      StoreParts parts =
          new StoreParts(
              options,
              disk,
              folder,
              head,
              blocks,
              new OpenReaders(),
              new UlidSource(clock, random),
              log);
      long corrupt = (long) opening.corruptCount() + report.problems().size();
      return new Store(parts, clock, lock, headStartMs, corrupt);
    } catch (IOException | RuntimeException e) {
      blocks.close();
      throw e;
    }
  }

  /**
   * @throws StoreException if the store is read only
   */
  @Override
  public Appender appender() {
    requireOpen();
    requireWritable();
    return parts.head().appender();
  }

  private void requireOpen() {
    if (isClosed) {
      throw new StoreException(parts.folder().path() + ": closed");
    }
  }

  private void requireWritable() {
    if (parts.options().isReadOnly()) {
      throw new StoreException(parts.folder().path() + ": opened to be read only");
    }
  }

  /**
   * The head is asked first and the blocks after it: what leaves the head meanwhile is in a block
   * before, so that nothing is missed, and what is in both is read once.
   */
  @Override
  public Querier querier(long minMs, long maxMs) {
    requireOpen();
    long stage = parts.readers().enter();
    try {
      return querier(minMs, maxMs, stage);
    } catch (RuntimeException e) {
      parts.readers().leave(stage); // else nothing would ever leave the head again
      throw e;
    }
  }

  private Querier querier(long minMs, long maxMs, long stage) {
    Querier head = parts.head().querier(minMs, maxMs);
    BlockList.Held held = parts.blocks().hold(minMs, maxMs);
    List<Querier> sources = new ArrayList<>();
    held.blocks().forEach(block -> sources.add(block.querier(minMs, maxMs)));
    sources.add(head);
    return new MergedQuerier(
        sources,
        () -> {
          held.close();
          parts.readers().leave(stage);
        });
  }

  @Override
  public List<ExemplarSeries> exemplars(List<List<Matcher>> selections, long minMs, long maxMs) {
    return parts.head().exemplars().exemplars(selections, minMs, maxMs);
  }

  /** Does what is due. Failures are told to the log and in {@link #stats}, and tried again. */
  public void maintain(long nowMs) {
    if (parts.options().isReadOnly() || isClosing) {
      return;
    }
    maintaining.lock();
    try {
      if (!isClosed) {
        maintainAll(nowMs);
      }
    } catch (Compactor.StoppedException e) {
      return; // what was begun is done at the next start
    } finally {
      maintaining.unlock();
    }
  }

  private void maintainAll(long nowMs) {
    Head head = parts.head();
    keeping.run(
        nowMs,
        () -> {
          parts.folder().requireOwn();
          head.maintain(nowMs);
          head.mapFullChunks();
          head.sync();
        });
    if (!parts.folder().isOwn()) {
      return; // another process may have begun a new store there
    }
    cutting.run(nowMs, () -> cutter.run(nowMs));
    long otherBytes = head.walBytes() + head.mappedBytes();
    sweeping.run(
        nowMs,
        () -> {
          removal.removeExpired(otherBytes, nowMs);
          removal.sweep();
        });
    compacting.run(nowMs, compaction::run);
    sweeping.run(nowMs, removal::sweep);
  }

  public HeadStats headStats() {
    return parts.head().stats();
  }

  public HeadCardinality cardinality(int limit) {
    return parts.head().cardinality(limit);
  }

  public StoreStats stats() {
    Head head = parts.head();
    List<BlockMeta> blocks = parts.blocks().metas();
    return new StoreStats(
        blocks.size(),
        parts.blocks().sizeBytes(),
        head.walBytes(),
        head.mappedBytes(),
        Math.min(head.minMs(), minMs(blocks)),
        Math.max(head.maxMs(), maxMs(blocks)),
        cutter.cutCount() + compaction.compactionCount(),
        cutting.failures() + compacting.failures(),
        removal.expiredCount(),
        head.walFailures(),
        corruptAtStart + compaction.corruptionCount(),
        trouble());
  }

  private static long minMs(List<BlockMeta> blocks) {
    return blocks.stream().mapToLong(BlockMeta::minMs).min().orElse(Long.MAX_VALUE);
  }

  private static long maxMs(List<BlockMeta> blocks) {
    return blocks.stream().mapToLong(meta -> meta.maxMs() - 1).max().orElse(Long.MIN_VALUE);
  }

  private String trouble() {
    Stream<String> own = Stream.of(keeping, cutting, compacting, sweeping).map(Attempt::trouble);
    return Stream.concat(Stream.of(parts.head().trouble()), own)
        .filter(trouble -> !trouble.isEmpty())
        .collect(Collectors.joining("; "));
  }

  /** The open blocks by time. */
  public List<BlockMeta> blocks() {
    return parts.blocks().metas();
  }

  /** Deletes the samples of the series that pass, ends included. */
  public void delete(List<Matcher> matchers, long minMs, long maxMs) {
    change(
        () -> {
          parts.head().removeCutFromLog();
          deletion.run(matchers, minMs, maxMs);
          return parts.folder().path();
        });
  }

  /** Writes anew the blocks of which samples are deleted, without these. */
  public void cleanTombstones() {
    change(
        () -> {
          compaction.cleanTombstones();
          removal.sweep();
          return parts.folder().path();
        });
  }

  /**
   * Writes a copy of all blocks, and of the head as a block, to a folder in {@code snapshots}.
   *
   * @param withoutHead whether the head is left out
   * @return the folder
   */
  public Path snapshot(boolean withoutHead) {
    return change(() -> snapshots.write(clock.nowMs(), withoutHead));
  }

  /** What an operator asks for. */
  private interface Change {
    Path run() throws IOException;
  }

  private Path change(Change change) {
    requireWritable();
    maintaining.lock();
    try {
      requireOpen();
      return change.run();
    } catch (IOException | Compactor.StoppedException e) {
      throw new StoreException(String.valueOf(e.getMessage()), e);
    } finally {
      maintaining.unlock();
    }
  }

  /** Ends cleanly: what was committed lasts. */
  @Override
  public void close() {
    isClosing = true;
    maintaining.lock();
    try {
      if (!isClosed) {
        isClosed = true;
        closeAll();
      }
    } finally {
      maintaining.unlock();
    }
  }

  private void closeAll() {
    try {
      parts.head().close();
    } catch (IOException e) {
      throw new StoreException(
          parts.folder().path() + ": the logs can't be ended: " + e.getMessage(), e);
    } finally {
      parts.blocks().close();
      if (lock != null) {
        lock.close();
      }
    }
  }
}
