package org.inferometer.tsdb;

import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.FiledChunk;

/** A chunk in one of the {@link HeadChunks}. Immutable and thread-safe. */
final class MappedChunk extends FiledChunk {
  /** Object with compressed references. */
  private static final int OBJECT_BYTES = 48;

  private final HeadChunks.Region region;
  private final int offset;

  /**
   * @param offset of its length, in the region
   */
  MappedChunk(Chunk chunk, HeadChunks.Region region, int offset) {
    super(chunk);
    this.region = region;
    this.offset = offset;
  }

  @Override
  public int memoryBytes() {
    return OBJECT_BYTES;
  }

  @Override
  protected byte[] bytes() {
    return region.read(offset, encoding(), byteCount());
  }
}
