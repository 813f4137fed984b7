package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.inferometer.io.Disk;
import org.inferometer.store.Querier;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.BlockWriter;
import org.inferometer.tsdb.block.Ulid;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.jspecify.annotations.Nullable;

/**
 * Writes blocks: one of a stretch of the head, or one of several others. Series after series goes
 * through it, so that its memory doesn't depend on how much there is. Nothing is left of a block
 * that couldn't be written to its end.
 */
final class Compactor {
  /**
   * Two full chunks. Larger ones save less and less, and cost queries for a moment ever more: they
   * decode a chunk from its beginning.
   */
  static final int JOINED_SAMPLES_MAX = 240;

  private static final long TIME_ALL_FROM = Long.MIN_VALUE;
  private static final long TIME_ALL_TO = Long.MAX_VALUE;

  private final Disk disk;
  private final Path folder;
  private final UlidSource ulids;
  private final BooleanSupplier isStopped;
  private final int joinedSamplesMax;

  /** Thrown when the store is being closed. */
  static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedException() {
      super("the store is being closed", null, false, false);
    }
  }

  /** A block can't be read to its end. */
  static final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int place;

    UnreadableException(int place, StoreException cause) {
      super(cause.getMessage(), cause);
      this.place = place;
    }

    /** Its place in what was compacted. */
    int place() {
      return place;
    }
  }

  /**
   * What came of blocks.
   *
   * @param meta of the block that was written; null if nothing was left to write
   * @param damages a sentence for the first damage of each block that has any, by its place in what
   *     was compacted
   */
  record Outcome(@Nullable BlockMeta meta, TreeMap<Integer, String> damages) {}

  /**
   * @param folder of all blocks
   * @param isStopped asked often, so that closing doesn't wait
   */
  Compactor(Disk disk, Path folder, UlidSource ulids, BooleanSupplier isStopped) {
    this(disk, folder, ulids, isStopped, JOINED_SAMPLES_MAX);
  }

  Compactor(
      Disk disk, Path folder, UlidSource ulids, BooleanSupplier isStopped, int joinedSamplesMax) {
    this.disk = disk;
    this.folder = folder;
    this.ulids = ulids;
    this.isStopped = isStopped;
    this.joinedSamplesMax = joinedSamplesMax;
  }

  /**
   * Writes a stretch of a head.
   *
   * @return null if it has no sample there
   */
  @Nullable BlockMeta writeHead(Path parent, long minMs, long maxMs, List<String> hints, Head head)
      throws IOException {
    Querier open = head.querier(minMs, maxMs); // keeps chunks mapped that leave the head meanwhile
    Ulid ulid = ulids.next();
    try (BlockWriter writer = new BlockWriter(disk, parent, ulid)) {
      Iterator<SeriesChunks> series = head.series(minMs, maxMs);
      while (series.hasNext()) {
        stopIfClosing();
        writer.add(series.next());
      }
      return writer.finish(BlockWriter.ofHead(ulid, minMs, maxMs, hints));
    } catch (CorruptChunkException e) {
      throw new IOException("a chunk of the head can't be read: " + e.getMessage(), e);
    } finally {
      open.close();
    }
  }

  private void stopIfClosing() {
    if (isStopped.getAsBoolean()) {
      throw new StoppedException();
    }
  }

  /**
   * Makes one block of several, or a clean one of one with tombstones.
   *
   * @param blocks by time: of two samples of the same time that of the first counts
   * @throws UnreadableException if the index of one is damaged
   */
  Outcome compact(List<Block> blocks) throws IOException {
    Ulid ulid = ulids.next();
    TreeMap<Integer, String> damages = new TreeMap<>();
    ChunkMerge merge =
        new ChunkMerge(joinedSamplesMax, (e, source) -> damages.putIfAbsent(source, textOf(e)));
    try (BlockWriter writer = new BlockWriter(disk, folder, ulid)) {
      LabelsMerge<Sourced> all =
          new LabelsMerge<>(sources(blocks), sourced -> sourced.series().labels());
      while (all.hasNext()) {
        stopIfClosing();
        add(all.next(), blocks.size(), merge, writer);
      }
      return new Outcome(writer.finish(meta(ulid, blocks, damages.keySet())), damages);
    }
  }

  private static String textOf(CorruptChunkException e) {
    return String.valueOf(e.getMessage());
  }

  /** A series of one of the blocks. */
  private record Sourced(SeriesChunks series, int source) {}

  /** The series of one of the blocks; tells which it is if it can't be read. */
  private static final class Source implements Iterator<Sourced> {
    private final int place;
    private final Iterator<SeriesChunks> series;

    Source(int place, Block block) {
      this.place = place;
      series = attempt(() -> block.series(TIME_ALL_FROM, TIME_ALL_TO));
    }

    private <T> T attempt(Supplier<T> reading) {
      try {
        return reading.get();
      } catch (StoreException e) {
        throw new UnreadableException(place, e);
      }
    }

    @Override
    public boolean hasNext() {
      return attempt(series::hasNext);
    }

    @Override
    public Sourced next() {
      return new Sourced(attempt(series::next), place);
    }
  }

  private static List<Source> sources(List<Block> blocks) {
    return IntStream.range(0, blocks.size()).mapToObj(i -> new Source(i, blocks.get(i))).toList();
  }

  private static void add(List<Sourced> same, int sourceCount, ChunkMerge merge, BlockWriter writer)
      throws IOException {
    @Nullable SeriesChunks[] bySource = new SeriesChunks[sourceCount];
    same.forEach(sourced -> bySource[sourced.source()] = sourced.series());
    List<Chunk> chunks = merge.merge(Arrays.asList(bySource));
    if (!chunks.isEmpty()) {
      writer.add(new SeriesChunks(same.getFirst().series().labels(), chunks));
    }
  }

  /** Damaged blocks aren't named as parents: those are removed at a start if they are there. */
  private static BlockMeta meta(Ulid ulid, List<Block> blocks, Collection<Integer> damaged) {
    List<BlockMeta> metas = blocks.stream().map(Block::meta).toList();
    List<BlockMeta.Parent> parents =
        IntStream.range(0, metas.size())
            .filter(i -> !damaged.contains(i))
            .mapToObj(metas::get)
            .map(m -> new BlockMeta.Parent(m.ulid(), m.minMs(), m.maxMs()))
            .toList();
    boolean isLate = metas.stream().allMatch(BlockMeta::isOutOfOrder);
    return new BlockMeta(
        ulid,
        metas.stream().mapToLong(BlockMeta::minMs).min().orElseThrow(),
        metas.stream().mapToLong(BlockMeta::maxMs).max().orElseThrow(),
        BlockWriter.NO_STATS,
        level(metas),
        metas.stream().flatMap(m -> m.sources().stream()).distinct().sorted().toList(),
        parents,
        isLate ? List.of(BlockMeta.FROM_OUT_OF_ORDER) : List.of());
  }

  private static int level(List<BlockMeta> metas) {
    int highest = metas.stream().mapToInt(BlockMeta::level).max().orElseThrow();
    return metas.size() == 1 ? highest : highest + 1;
  }
}
