package org.inferometer.tsdb.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.io.Disk;

/**
 * What {@code meta.json} tells of a block.
 *
 * @param minMs the time of the earliest sample may be this
 * @param maxMs samples are earlier than this
 * @param level how often its samples were compacted: 1 for a block of the head
 * @param sources the blocks of level 1 that are in it
 * @param parents the blocks that it was made of directly; none for a block of the head
 * @param isDeletable whether it turned out that nothing of it is left
 * @param hasFailed whether compacting it failed, so that it is left alone
 * @param hints such as {@code from-out-of-order}
 * @param others what else the file says, by key, as JSON: kept when it is written again
 */
public record BlockMeta(
    Ulid ulid,
    long minMs,
    long maxMs,
    Stats stats,
    int level,
    List<Ulid> sources,
    List<Parent> parents,
    boolean isDeletable,
    boolean hasFailed,
    List<String> hints,
    Map<String, String> others) {
  /** The name of the file in a block's folder. */
  public static final String FILE = "meta.json";

  /** The hint of a block of samples that came late, which may overlap others. */
  public static final String FROM_OUT_OF_ORDER = "from-out-of-order";

  /** How much is in it. */
  public record Stats(long samples, long series, long chunks, long tombstones) {}

  /** A block that it was made of. */
  public record Parent(Ulid ulid, long minMs, long maxMs) {}

  public BlockMeta {
    sources = List.copyOf(sources);
    parents = List.copyOf(parents);
    hints = List.copyOf(hints);
    others = Collections.unmodifiableMap(new TreeMap<>(others));
  }

  public BlockMeta(
      Ulid ulid,
      long minMs,
      long maxMs,
      Stats stats,
      int level,
      List<Ulid> sources,
      List<Parent> parents,
      List<String> hints) {
    this(ulid, minMs, maxMs, stats, level, sources, parents, false, false, hints, Map.of());
  }

  public BlockMeta withUlid(Ulid name) {
    return new BlockMeta(
        name, minMs, maxMs, stats, level, sources, parents, isDeletable, hasFailed, hints, others);
  }

  public BlockMeta withStats(Stats counted) {
    return new BlockMeta(
        ulid,
        minMs,
        maxMs,
        counted,
        level,
        sources,
        parents,
        isDeletable,
        hasFailed,
        hints,
        others);
  }

  /** The same of a block that is left alone from now on. */
  public BlockMeta asFailed() {
    return new BlockMeta(
        ulid, minMs, maxMs, stats, level, sources, parents, isDeletable, true, hints, others);
  }

  public boolean overlaps(BlockMeta other) {
    return minMs < other.maxMs && other.minMs < maxMs;
  }

  public boolean isOutOfOrder() {
    return hints.contains(FROM_OUT_OF_ORDER);
  }

  public Parent asParent() {
    return new Parent(ulid, minMs, maxMs);
  }

  /**
   * Reads the file in a block's folder.
   *
   * @throws CorruptBlockException if it isn't there or doesn't tell what it should
   */
  public static BlockMeta read(Disk disk, Path folder) throws CorruptBlockException, IOException {
    Path file = folder.resolve(FILE);
    if (!disk.exists(file)) {
      throw new CorruptBlockException(file + ": expected a file, there is none");
    }
    return BlockMetaReader.read(disk.read(file, BlockMetaReader.BYTES_MAX), file.toString());
  }

  /** Writes the file to a block's folder so that at each moment the old or the new one is whole. */
  public void write(Disk disk, Path folder) throws IOException {
    WholeFile.write(disk, folder, FILE, toJson());
  }

  /** What stands in the file. */
  public byte[] toJson() {
    return BlockMetaWriter.toJson(this);
  }
}
