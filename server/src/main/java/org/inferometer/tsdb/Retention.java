package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.tsdb.block.BlockMeta;

/**
 * Chooses the blocks that are no longer kept, as Prometheus does: those that end a whole retention
 * before the newest block does, and the oldest for which there is no room. A clock that is ahead
 * must not cost data, and neither must a block that says it ends in the future: age is counted from
 * whichever is earlier.
 *
 * @param bytesMax for blocks and all else; 0 for any
 */
record Retention(long retentionMs, long bytesMax) {
  /** A block and what it takes on disk. */
  record Sized(BlockMeta meta, long bytes) {}

  /**
   * The blocks to remove.
   *
   * @param otherBytes what logs and the head's chunks take on disk
   * @param nowMs what the clock says
   */
  List<BlockMeta> expired(List<Sized> blocks, long otherBytes, long nowMs) {
    List<Sized> newestFirst =
        blocks.stream()
            .sorted(Comparator.comparingLong((Sized b) -> b.meta().maxMs()).reversed())
            .toList();
    List<BlockMeta> expired = new ArrayList<>();
    long bytes = otherBytes;
    for (Sized block : newestFirst) {
      bytes += block.bytes();
      long newestMs = Math.min(nowMs, newestFirst.getFirst().meta().maxMs());
      long ageMs = newestMs - block.meta().maxMs();
      if (!expired.isEmpty() || ageMs >= retentionMs || (bytesMax > 0 && bytes > bytesMax)) {
        expired.add(block.meta());
      }
    }
    return expired;
  }
}
