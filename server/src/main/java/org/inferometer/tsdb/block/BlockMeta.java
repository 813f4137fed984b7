package org.inferometer.tsdb.block;

import java.util.List;

/**
 * What {@code meta.json} tells of a block.
 *
 * @param minMs the time of the earliest sample may be this
 * @param maxMs samples are earlier than this
 * @param level how often its samples were compacted: 1 for a block of the head
 * @param sources the blocks of level 1 that are in it
 * @param parents the blocks that it was made of directly; none for a block of the head
 * @param hints such as {@code from-out-of-order}
 */
public record BlockMeta(
    Ulid ulid,
    long minMs,
    long maxMs,
    Stats stats,
    int level,
    List<Ulid> sources,
    List<Parent> parents,
    List<String> hints) {
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
  }

  public boolean overlaps(BlockMeta other) {
    return minMs < other.maxMs && other.minMs < maxMs;
  }

  public boolean isOutOfOrder() {
    return hints.contains(FROM_OUT_OF_ORDER);
  }
}
