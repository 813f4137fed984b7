package org.inferometer.tsdb.chunk;

import org.inferometer.store.SampleColumns;

/**
 * A chunk wherever it is: in memory, or in a file of which only the place is known. Immutable and
 * thread-safe.
 */
public interface StoredChunk {
  /** The time of the first sample, in milliseconds. */
  long minMs();

  /** The time of the last sample, in milliseconds. */
  long maxMs();

  /** What it takes on the heap. */
  int memoryBytes();

  /**
   * The chunk in memory.
   *
   * @throws CorruptChunkException if its bytes aren't what was written; names file and offset
   */
  Chunk load();

  /** Appends the samples of a stretch of time, ends included. */
  default void read(long fromMs, long toMs, SampleColumns into) {
    if (fromMs <= maxMs() && toMs >= minMs()) {
      load().read(fromMs, toMs, into);
    }
  }

  /** Whether it has a sample in a stretch of time, ends included. */
  default boolean hasAny(long fromMs, long toMs, SampleColumns scratch) {
    if (fromMs > maxMs() || toMs < minMs()) {
      return false;
    }
    return fromMs <= minMs() || toMs >= maxMs() || load().hasAny(fromMs, toMs, scratch);
  }
}
