package org.inferometer.tsdb.block;

import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.StoredChunk;

/** A chunk in a block's files. */
record BlockChunk(ChunkFiles files, long reference, long minMs, long maxMs) implements StoredChunk {
  /** The object, with compressed references. */
  private static final int BYTES = 12 + 4 + 3 * 8;

  @Override
  public int memoryBytes() {
    return BYTES;
  }

  @Override
  public Chunk load() {
    return files.load(reference, minMs, maxMs);
  }
}
