package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.tsdb.block.BlockMeta;

/**
 * Chooses the blocks that are no longer kept, as Prometheus does: those that end a whole retention
 * before the newest block does, and the oldest for which there is no room. The clock isn't asked:
 * one that is wrong must not cost data.
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
   */
  List<BlockMeta> expired(List<Sized> blocks, long otherBytes) {
    List<Sized> newestFirst =
        blocks.stream()
            .sorted(Comparator.comparingLong((Sized b) -> b.meta().maxMs()).reversed())
            .toList();
    List<BlockMeta> expired = new ArrayList<>();
    long bytes = otherBytes;
    for (Sized block : newestFirst) {
      bytes += block.bytes();
      long ageMs = newestFirst.getFirst().meta().maxMs() - block.meta().maxMs();
      if (!expired.isEmpty() || ageMs >= retentionMs || (bytesMax > 0 && bytes > bytesMax)) {
        expired.add(block.meta());
      }
    }
    return expired;
  }
}
