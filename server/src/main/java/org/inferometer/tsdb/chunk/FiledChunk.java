package org.inferometer.tsdb.chunk;

import org.inferometer.store.SampleColumns;

/**
 * A chunk that was written by this process and is in a file now: what was known of it stays on the
 * heap, so that it reads as it did before. Immutable and thread-safe.
 */
public abstract class FiledChunk implements StoredChunk {
  private final long minMs;
  private final long maxMs;
  private final int gapMaxMs;
  private final int byteCount;
  private final short size;
  private final Encoding encoding;
  private final ChunkStart start;

  /**
   * @param chunk what was written, as {@link Chunk#toBytes} gives it
   */
  protected FiledChunk(Chunk chunk) {
    minMs = chunk.minMs();
    maxMs = chunk.maxMs();
    gapMaxMs = chunk.gapMaxMs();
    byteCount = chunk.byteCount();
    size = (short) chunk.size();
    encoding = chunk.encoding();
    start = chunk instanceof HistogramChunk histograms ? histograms.start() : ChunkStart.UNKNOWN;
  }

  /**
   * Its bytes, checked against their checksum, and {@link org.inferometer.io.BitWriter#PADDING}
   * more.
   *
   * @throws CorruptChunkException if they aren't what was written
   */
  protected abstract byte[] bytes();

  @Override
  public final long minMs() {
    return minMs;
  }

  @Override
  public final long maxMs() {
    return maxMs;
  }

  /** The bytes of the chunk, without anything around it. */
  public final int byteCount() {
    return byteCount;
  }

  public final Encoding encoding() {
    return encoding;
  }

  /** Whether it would be the same without what it tells of the sample before its first. */
  public final boolean hasNoPast() {
    return start.withoutPast() == start;
  }

  @Override
  public final Chunk load() {
    byte[] bytes = bytes();
    return switch (encoding) {
      case XOR -> new XorChunk(bytes, byteCount, size, minMs, maxMs, gapMaxMs);
      case HISTOGRAM -> new HistogramChunk(false, start, bytes, byteCount, size, minMs, maxMs);
      case FLOAT_HISTOGRAM -> new HistogramChunk(true, start, bytes, byteCount, size, minMs, maxMs);
    };
  }

  @Override
  public final boolean hasAny(long fromMs, long toMs, SampleColumns scratch) {
    if (fromMs > maxMs || toMs < minMs) {
      return false;
    }
    boolean isWiderThanGaps = gapMaxMs < Integer.MAX_VALUE && toMs - fromMs >= gapMaxMs;
    return fromMs <= minMs
        || toMs >= maxMs
        || isWiderThanGaps
        || load().hasAny(fromMs, toMs, scratch);
  }
}
