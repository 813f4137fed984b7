package org.inferometer.tsdb.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import org.inferometer.io.Disk;
import org.inferometer.io.NotThereYet;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.tsdb.chunk.SeriesChunks;

/**
 * An immutable directory of chunks and index for a stretch of time, opened for reading. Its files
 * are mapped; what is on the heap is the places of symbols and of postings. Thread-safe. Not used
 * after it is closed: who closes it sees to that.
 */
public final class Block implements Queryable, AutoCloseable {
  private Block() {}

  /**
   * Opens a block and checks all of it but the chunks and postings, which are checked when they are
   * read.
   *
   * @throws CorruptBlockException if it isn't a whole block
   * @throws IOException if it can't be read for another reason
   */
  public static Block open(Disk disk, Path folder) throws CorruptBlockException, IOException {
    return NotThereYet.now();
  }

  public BlockMeta meta() {
    return NotThereYet.now();
  }

  public Path folder() {
    return NotThereYet.now();
  }

  /** The bytes of all its files. */
  public long sizeBytes() {
    return NotThereYet.now();
  }

  /** Marks that hide samples; not changed while the block is open: a new object replaces this. */
  public Tombstones tombstones() {
    return NotThereYet.now();
  }

  /** Samples that tombstones hide aren't seen. Damaged chunks are passed over with a warning. */
  @Override
  public Querier querier(long minMs, long maxMs) {
    return NotThereYet.now();
  }

  /**
   * All series in label order, with chunks that have a sample from {@code fromMs} to before {@code
   * toMs} perhaps. Chunks on which tombstones lie come decoded without what they hide.
   */
  public Iterator<SeriesChunks> series(long fromMs, long toMs) {
    return NotThereYet.now();
  }

  @Override
  public void close() {
    NotThereYet.now();
  }
}
