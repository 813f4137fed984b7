package org.inferometer.tsdb;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.inferometer.model.Matcher;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.Tombstones;

/** Deletes samples: marks them in blocks, and removes them from the head. */
final class BlockDeletion {
  private final StoreParts parts;

  BlockDeletion(StoreParts parts) {
    this.parts = parts;
  }

  /**
   * Deletes the samples of the series that pass, ends included. Queriers that are open still see
   * them in blocks.
   */
  void run(List<Matcher> matchers, long minMs, long maxMs) throws IOException {
    try (BlockList.Held held = parts.blocks().hold(minMs, maxMs)) {
      for (Block block : held.blocks()) {
        Tombstones marks = block.withDeleted(matchers, minMs, maxMs);
        if (!marks.isEmpty()) {
          replace(block, marks);
        }
      }
    }
    parts.head().delete(matchers, minMs, maxMs);
  }

  private void replace(Block block, Tombstones marks) throws IOException {
    marks.write(parts.disk(), block.folder());
    BlockMeta.Stats old = block.meta().stats();
    BlockMeta.Stats counted =
        new BlockMeta.Stats(old.samples(), old.series(), old.chunks(), marks.count());
    block.meta().withStats(counted).write(parts.disk(), block.folder());
    parts.blocks().change(List.of(parts.open(block.folder())), Map.of());
  }
}
