package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.inferometer.io.Disk;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.CorruptBlockException;

/**
 * What the parts of an open store share.
 *
 * @param log takes what the operator should know
 */
record StoreParts(
    StoreOptions options,
    Disk disk,
    StoreFolder folder,
    Head head,
    BlockList blocks,
    OpenReaders readers,
    UlidSource ulids,
    Consumer<String> log) {
  /** Left free for logs, which are more urgent than blocks. */
  private static final long FREE_BYTES_MIN = 16 << 20;

  /** Opens a block of which files were just written. */
  Block open(Path block) throws IOException {
    try {
      return Block.open(disk, block);
    } catch (CorruptBlockException e) {
      Path aside = folder.setAside(block);
      throw new StoreException(
          "%s: written a moment ago and can't be read, set aside as %s: %s"
              .formatted(block, aside.getFileName(), e.getMessage()),
          e);
    }
  }

  /** Lists a block that was just written. */
  void publish(BlockMeta meta) throws IOException {
    blocks.change(List.of(openWritten(meta)), Map.of());
  }

  /**
   * Opens a block that was just written. One that can't be opened is removed: found at the next
   * start, it would know nothing of what was deleted meanwhile in the blocks it was made of.
   */
  Block openWritten(BlockMeta meta) throws IOException {
    Path written = folder.path().resolve(meta.ulid().toString());
    try {
      return open(written);
    } catch (IOException e) {
      try {
        folder.delete(written);
      } catch (IOException deeper) {
        e.addSuppressed(deeper);
      }
      throw e;
    }
  }

  /**
   * @throws IOException if there isn't room for so much, and some more
   */
  void requireRoom(long bytes) throws IOException {
    long free = disk.freeBytes(folder.path());
    if (free < bytes + FREE_BYTES_MIN) {
      throw new IOException(
          "%s: expected %d MiB free on the disk, there are %d"
              .formatted(folder.path(), (bytes + FREE_BYTES_MIN) >> 20, free >> 20));
    }
  }
}
