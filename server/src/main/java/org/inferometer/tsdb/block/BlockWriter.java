package org.inferometer.tsdb.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.io.Disk;
import org.inferometer.io.NotThereYet;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.jspecify.annotations.Nullable;

/**
 * Writes a block: in a folder with a name that isn't a block's, which gets its name when all of it
 * is there and lasts. Not thread-safe.
 */
public final class BlockWriter implements AutoCloseable {
  /**
   * Of the folder while it is written, as Prometheus has it; such folders are removed at a start.
   */
  public static final String CREATING_SUFFIX = ".tmp-for-creation";

  /**
   * @param parent the folder of all blocks
   */
  public BlockWriter(Disk disk, Path parent, Ulid ulid) throws IOException {
    NotThereYet.now();
  }

  /**
   * Adds a series that comes after those before in label order, with chunks that don't overlap. One
   * without chunks isn't written.
   */
  public void add(SeriesChunks series) throws IOException {
    NotThereYet.now();
  }

  /**
   * Ends the block.
   *
   * @param meta what it is; the statistics in it are replaced by what was counted
   * @return null if no series was added: then there is no block
   */
  public @Nullable BlockMeta finish(BlockMeta meta) throws IOException {
    return NotThereYet.now();
  }

  /** Removes what was written, unless it was finished. */
  @Override
  public void close() {
    NotThereYet.now();
  }

  /** For the statistics of a meta that don't count yet. */
  public static final BlockMeta.Stats NO_STATS = new BlockMeta.Stats(0, 0, 0, 0);

  /** The meta of a block that is cut from a head. */
  public static BlockMeta ofHead(Ulid ulid, long minMs, long maxMs, List<String> hints) {
    return new BlockMeta(ulid, minMs, maxMs, NO_STATS, 1, List.of(ulid), List.of(), hints);
  }
}
