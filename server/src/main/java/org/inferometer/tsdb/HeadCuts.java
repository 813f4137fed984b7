package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.inferometer.tsdb.chunk.SeriesChunks;

/**
 * Says which stretches of time of a head should become blocks, and remembers which were given out.
 *
 * <pre>
 *   late          cut here     due                    not due: newest < start + 1.5 ranges
 * --[......]---------|---[.............][.............][........newest
 * </pre>
 *
 * Not thread-safe, but for {@link #cutMs}.
 */
final class HeadCuts {
  private final long rangeMs;

  /** What is before was given to blocks, but for late samples. */
  private volatile long cutMs;

  /** Stretches given out since, which are dropped when the head is cut. */
  private final List<BlockCut> given = new ArrayList<>();

  /** Since when there are late samples; {@link Long#MIN_VALUE} for none. */
  private long lateSinceMs = Long.MIN_VALUE;

  /** A cut that waits for queriers; {@link Long#MIN_VALUE} for none. */
  private long pendingMs = Long.MIN_VALUE;

  HeadCuts(long rangeMs, long cutMs) {
    this.rangeMs = rangeMs;
    this.cutMs = cutMs;
  }

  long cutMs() {
    return cutMs;
  }

  long pendingMs() {
    return pendingMs;
  }

  /**
   * The stretches that are due, the earliest first.
   *
   * @param newestMs the newest sample or the clock, whichever is earlier
   */
  List<BlockCut> due(SeriesIndex index, long minMs, long newestMs, long nowMs) {
    if (minMs == Long.MAX_VALUE || !(isDue(minMs, newestMs) || minMs < cutMs)) {
      lateSinceMs = Long.MIN_VALUE;
      return List.of();
    }
    List<BlockCut> cuts = new ArrayList<>();
    for (long start : starts(index)) {
      boolean isLate = start + rangeMs <= cutMs;
      if ((isLate || isDue(start, newestMs)) && !isPending(start)) {
        cuts.add(new BlockCut(start, start + rangeMs, isLate));
      }
    }
    boolean hasLate = cuts.stream().anyMatch(BlockCut::isLate);
    boolean hasOthers = cuts.stream().anyMatch(cut -> !cut.isLate());
    if (hasLate && !hasOthers && !isLongLate(nowMs)) {
      return List.of();
    }
    if (!hasLate) {
      lateSinceMs = Long.MIN_VALUE;
    }
    return cuts;
  }

  private boolean isDue(long minMs, long newestMs) {
    long start = Math.floorDiv(minMs, rangeMs) * rangeMs;
    return newestMs > start + rangeMs + rangeMs / 2;
  }

  private boolean isPending(long start) {
    return start < pendingMs && isGiven(start);
  }

  /** Late samples come in drops: a block is made of many of them. */
  private boolean isLongLate(long nowMs) {
    if (lateSinceMs == Long.MIN_VALUE || nowMs < lateSinceMs) {
      lateSinceMs = nowMs;
    }
    return nowMs - lateSinceMs >= rangeMs / 2;
  }

  private SortedSet<Long> starts(SeriesIndex index) {
    SortedSet<Long> starts = new TreeSet<>();
    long[] last = {Long.MIN_VALUE};
    index.forEach(
        series ->
            series.forEachChunkStart(
                timestampMs -> {
                  long stretch = Math.floorDiv(timestampMs, rangeMs);
                  if (stretch != last[0]) {
                    last[0] = stretch;
                    starts.add(stretch * rangeMs);
                  }
                }));
    return starts;
  }

  /** Notes that a stretch is given out. */
  void give(BlockCut cut) {
    if (!given.contains(cut)) {
      given.add(cut);
    }
  }

  /** Notes that it isn't in a block. */
  void takeBack(BlockCut cut) {
    given.remove(cut);
  }

  /** Whether a chunk that begins at a time goes when the head is cut. */
  boolean isDropped(long chunkMinMs, long fromMs) {
    return chunkMinMs < fromMs && isGiven(chunkMinMs);
  }

  private boolean isGiven(long timestampMs) {
    return given.stream().anyMatch(cut -> cut.minMs() <= timestampMs && timestampMs < cut.maxMs());
  }

  void begin(long fromMs) {
    pendingMs = Math.max(pendingMs, fromMs);
  }

  /** Notes that the head was cut; returns whether something else is still given out. */
  boolean end(long fromMs) {
    cutMs = Math.max(cutMs, fromMs);
    pendingMs = Long.MIN_VALUE;
    given.removeIf(cut -> cut.maxMs() <= fromMs);
    return !given.isEmpty();
  }

  /** All series with chunks in a stretch, in label order. */
  static Iterator<SeriesChunks> series(SeriesIndex index, long fromMs, long toMs) {
    return index.all().stream()
        .sorted((a, b) -> a.labels().compareTo(b.labels()))
        .map(series -> new SeriesChunks(series.labels(), series.chunks(fromMs, toMs)))
        .filter(series -> !series.chunks().isEmpty())
        .iterator();
  }
}
