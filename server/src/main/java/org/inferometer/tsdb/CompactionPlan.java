package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.Ulid;

/**
 * Chooses which blocks are made one next, by the rules of Prometheus's levelled compaction.
 *
 * <ol>
 *   <li>Blocks whose times overlap: the earliest chain of such.
 *   <li>Blocks that fill a stretch of the smallest of the longer ranges, or lie in one that nothing
 *       will come to any more because there is a later block. The newest block is left out: whoever
 *       copies new blocks away finds each for two hours as it was.
 *   <li>One long block of which more than a twentieth of the series have deletions. Short ones wait
 *       until they are compacted anyway.
 * </ol>
 */
final class CompactionPlan {
  /** Each range is so many times as long as the one before. */
  private static final int RANGE_FACTOR = 3;

  /** Two-hour blocks come to weeks in these steps; Prometheus has as many. */
  private static final int RANGES_MAX = 10;

  private static final double TOMBSTONES_SHARE_MAX = 0.05;

  static final Comparator<BlockMeta> BY_TIME =
      Comparator.comparingLong(BlockMeta::minMs).thenComparing(BlockMeta::ulid);

  private final List<Long> rangesMs = new ArrayList<>();

  /**
   * @param blockMs the range of a block that is cut from a head
   * @param blockMsMax no block is made longer, unless overlapping ones are
   */
  CompactionPlan(long blockMs, long blockMsMax) {
    long range = blockMs;
    while (rangesMs.isEmpty() || (range <= blockMsMax && rangesMs.size() < RANGES_MAX)) {
      rangesMs.add(range);
      range = Math.multiplyExact(range, RANGE_FACTOR);
    }
  }

  List<Long> rangesMs() {
    return rangesMs;
  }

  /**
   * The blocks to compact, by time; none for nothing to do.
   *
   * @param blocks in any order
   * @param failed blocks that couldn't be compacted and aren't tried again
   */
  List<BlockMeta> next(Collection<BlockMeta> blocks, Set<Ulid> failed) {
    List<BlockMeta> byTime = blocks.stream().sorted(BY_TIME).toList();
    List<BlockMeta> overlapping = overlapping(byTime, failed);
    if (!overlapping.isEmpty()) {
      return overlapping;
    }
    List<BlockMeta> settled = byTime.subList(0, Math.max(0, byTime.size() - 1));
    List<BlockMeta> neighbours = neighbours(settled, failed);
    return neighbours.isEmpty() ? withManyTombstones(settled, failed) : neighbours;
  }

  private static boolean isAnyOf(List<BlockMeta> blocks, Set<Ulid> ulids) {
    return blocks.stream().anyMatch(block -> ulids.contains(block.ulid()));
  }

  private static List<BlockMeta> overlapping(List<BlockMeta> byTime, Set<Ulid> failed) {
    List<BlockMeta> chain = new ArrayList<>();
    long endMs = Long.MIN_VALUE;
    for (BlockMeta block : byTime) {
      if (!chain.isEmpty() && block.minMs() >= endMs) {
        if (isWorthIt(chain, failed)) {
          return chain;
        }
        chain.clear();
      }
      chain.add(block);
      endMs = Math.max(endMs, block.maxMs());
    }
    return isWorthIt(chain, failed) ? chain : List.of();
  }

  private static boolean isWorthIt(List<BlockMeta> blocks, Set<Ulid> failed) {
    return blocks.size() > 1 && !isAnyOf(blocks, failed);
  }

  private List<BlockMeta> neighbours(List<BlockMeta> byTime, Set<Ulid> failed) {
    for (long range : rangesMs.subList(1, rangesMs.size())) {
      for (List<BlockMeta> group : groups(byTime, range)) {
        if (isComplete(group, range, byTime.getLast().minMs()) && isWorthIt(group, failed)) {
          return group;
        }
      }
    }
    return List.of();
  }

  private static boolean isComplete(List<BlockMeta> group, long rangeMs, long newestMinMs) {
    long endMs = group.getLast().maxMs();
    return endMs - group.getFirst().minMs() == rangeMs || endMs <= newestMinMs;
  }

  /**
   * The blocks that lie within the same multiple of a range; those that lie across are left out.
   */
  private static List<List<BlockMeta>> groups(List<BlockMeta> byTime, long rangeMs) {
    List<List<BlockMeta>> groups = new ArrayList<>();
    long groupStartMs = Long.MIN_VALUE;
    for (BlockMeta block : byTime) {
      long startMs = Math.floorDiv(block.minMs(), rangeMs) * rangeMs;
      if (block.maxMs() > startMs + rangeMs) {
        continue;
      }
      if (groups.isEmpty() || startMs != groupStartMs) {
        groups.add(new ArrayList<>());
        groupStartMs = startMs;
      }
      groups.getLast().add(block);
    }
    return groups;
  }

  private List<BlockMeta> withManyTombstones(List<BlockMeta> byTime, Set<Ulid> failed) {
    long longMs = rangesMs.get(rangesMs.size() / 2);
    for (BlockMeta block : byTime.reversed()) {
      boolean isLong = block.maxMs() - block.minMs() >= longMs;
      double share = (double) block.stats().tombstones() / (block.stats().series() + 1);
      if (isLong && share > TOMBSTONES_SHARE_MAX && !failed.contains(block.ulid())) {
        return List.of(block);
      }
    }
    return List.of();
  }
}
