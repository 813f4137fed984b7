package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.inferometer.tsdb.block.BlockMeta;

/** Takes blocks out of the list that aren't kept any longer, and files that nobody reads away. */
final class BlockRemoval {
  private final StoreParts parts;
  private final Retention retention;
  private final AtomicLong expiredCount = new AtomicLong();

  BlockRemoval(StoreParts parts) {
    this.parts = parts;
    retention = new Retention(parts.options().retentionMs(), parts.options().retentionBytes());
  }

  /** Blocks that weren't kept any longer, since the start. */
  long expiredCount() {
    return expiredCount.get();
  }

  /**
   * @param otherBytes what logs and the head's chunks take on disk
   */
  void removeExpired(long otherBytes, long nowMs) throws IOException {
    var blocks = parts.blocks().sized();
    List<BlockMeta> expired = retention.expired(blocks, otherBytes, nowMs);
    if (!expired.isEmpty() && expired.size() == blocks.size()) {
      // No block will say any more up to when the log's samples are in blocks.
      parts.head().removeCutFromLog();
    }
    parts
        .blocks()
        .change(
            List.of(),
            expired.stream()
                .collect(Collectors.toMap(BlockMeta::ulid, meta -> BlockList.Fate.DELETE)));
    expiredCount.addAndGet(expired.size());
  }

  /** Deletes or sets aside the folders of blocks that nobody holds any more. */
  void sweep() throws IOException {
    for (Map.Entry<Path, BlockList.Fate> settled : parts.blocks().settled().entrySet()) {
      Path folder = settled.getKey();
      switch (settled.getValue()) {
        case DELETE -> parts.folder().delete(folder);
        case SET_ASIDE -> parts.folder().setAside(folder);
      }
      parts.blocks().done(folder);
    }
  }
}
