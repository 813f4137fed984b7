package org.inferometer.tsdb;

import java.util.Arrays;
import org.inferometer.io.BitWriter;
import org.inferometer.store.SampleColumns;

/**
 * A compressed run of samples of one series in one of Prometheus's encodings. Immutable, though its
 * array may be that of a {@link ChunkBuilder} which goes on behind the samples of this chunk.
 */
abstract sealed class Chunk permits XorChunk, HistogramChunk {
  /** Samples in a full chunk, as in Prometheus. */
  static final int SAMPLES_MAX = 120;

  private final byte[] bytes;
  private final int byteCount;
  private final int size;
  private final long minMs;
  private final long maxMs;
  private final int gapMaxMs;

  /**
   * @param bytes the encoded samples and {@link BitWriter#PADDING} bytes more; the first two, the
   *     count, aren't read
   * @param gapMaxMs no two neighbouring samples are farther apart in time; {@code
   *     Integer.MAX_VALUE} if that isn't known
   */
  Chunk(byte[] bytes, int byteCount, int size, long minMs, long maxMs, int gapMaxMs) {
    this.bytes = bytes;
    this.byteCount = byteCount;
    this.size = size;
    this.minMs = minMs;
    this.maxMs = maxMs;
    this.gapMaxMs = gapMaxMs;
  }

  final byte[] bytes() {
    return bytes;
  }

  final int byteCount() {
    return byteCount;
  }

  /** How many samples it holds. */
  final int size() {
    return size;
  }

  final long minMs() {
    return minMs;
  }

  final long maxMs() {
    return maxMs;
  }

  /** What it takes in memory. */
  final int memoryBytes() {
    return overheadBytes() + bytes.length;
  }

  /** Bytes of the object and its array without the data, with compressed references. */
  abstract int overheadBytes();

  /** The chunk as Prometheus writes it, count included. */
  byte[] toBytes() {
    byte[] copy = Arrays.copyOf(bytes, byteCount);
    copy[0] = (byte) (size >>> 8);
    copy[1] = (byte) size;
    return copy;
  }

  /** The same, but it no longer tells anything about the sample before its first. */
  abstract Chunk withoutPast();

  /** Appends the samples of a stretch of time, ends included. */
  final void read(long fromMs, long toMs, SampleColumns into) {
    if (fromMs <= maxMs && toMs >= minMs) {
      decode(fromMs, toMs, into);
    }
  }

  /** The same for a stretch of time that overlaps the chunk's. */
  abstract void decode(long fromMs, long toMs, SampleColumns into);

  /** Whether it has a sample in a stretch of time, ends included. */
  final boolean hasAny(long fromMs, long toMs, SampleColumns scratch) {
    if (fromMs > maxMs || toMs < minMs) {
      return false;
    }
    if (fromMs <= minMs || toMs >= maxMs || isWiderThanGaps(fromMs, toMs)) {
      return true;
    }
    scratch.clear();
    decode(fromMs, toMs, scratch);
    return scratch.size() > 0;
  }

  private boolean isWiderThanGaps(long fromMs, long toMs) {
    return gapMaxMs < Integer.MAX_VALUE && toMs - fromMs >= gapMaxMs;
  }
}
