package org.inferometer.tsdb;

import org.inferometer.store.SampleColumns;
import org.inferometer.tsdb.chunk.Chunk;

/**
 * What travels with one batch of changes through the series: the rules, a scratch buffer, and the
 * sum of what changed. Not thread-safe.
 */
final class HeadWrite {
  private final HeadOptions options;
  private final SampleColumns scratch = new SampleColumns(Chunk.SAMPLES_MAX + 1);
  private Isolation.Commit commit = Isolation.Commit.NONE;
  private long chunkChange;
  private long byteChange;

  HeadWrite(HeadOptions options) {
    this.options = options;
  }

  void begin(Isolation.Commit begun) {
    commit = begun;
  }

  Isolation.Commit commit() {
    return commit;
  }

  SampleColumns scratch() {
    return scratch;
  }

  long outOfOrderWindowMs() {
    return options.outOfOrderWindowMs();
  }

  /** Whether two times may be in one chunk. */
  boolean sameRange(long aMs, long bMs) {
    return Math.floorDiv(aMs, options.chunkRangeMs()) == Math.floorDiv(bMs, options.chunkRangeMs());
  }

  /** From this time on samples don't go to the chunk of another; the largest number if none is. */
  long rangeEndMs(long timestampMs) {
    long range = options.chunkRangeMs();
    long end = timestampMs + range - Math.floorMod(timestampMs, range);
    return end > timestampMs ? end : Long.MAX_VALUE;
  }

  void changeChunks(int chunks, long bytes) {
    chunkChange += chunks;
    byteChange += bytes;
  }

  long chunkChange() {
    return chunkChange;
  }

  long byteChange() {
    return byteChange;
  }

  /** Forgets what changed so far. */
  void clearChanges() {
    chunkChange = 0;
    byteChange = 0;
  }
}
