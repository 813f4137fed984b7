package org.inferometer.tsdb.chunk;

import java.util.Arrays;
import org.inferometer.io.BitWriter;
import org.inferometer.store.SampleColumns;

/**
 * A compressed run of samples of one series in one of Prometheus's encodings. Immutable, though its
 * array may be that of a {@link ChunkBuilder} which goes on behind the samples of this chunk.
 */
public abstract sealed class Chunk implements StoredChunk permits XorChunk, HistogramChunk {
  /** Samples in a full chunk, as in Prometheus. */
  public static final int SAMPLES_MAX = 120;

  /** A count of samples, and something of one. */
  private static final int BYTES_MIN = 3;

  /** A sample takes a bit for its time and one for its value at least. */
  private static final int SAMPLES_PER_BYTE_MAX = 4;

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

  public final int byteCount() {
    return byteCount;
  }

  /** No two neighbouring samples are farther apart; the largest number if that isn't known. */
  final int gapMaxMs() {
    return gapMaxMs;
  }

  /** How many samples it holds. */
  public final int size() {
    return size;
  }

  @Override
  public final long minMs() {
    return minMs;
  }

  @Override
  public final long maxMs() {
    return maxMs;
  }

  /** How it is written. */
  public abstract Encoding encoding();

  /**
   * A chunk from bytes that may be anything.
   *
   * @param encoded as {@link #toBytes} gives it
   * @throws CorruptChunkException if its samples can't be read
   */
  public static Chunk parse(Encoding encoding, byte[] encoded) {
    return switch (encoding) {
      case XOR -> XorChunk.parse(encoded);
      case HISTOGRAM -> HistogramChunk.parse(false, encoded);
      case FLOAT_HISTOGRAM -> HistogramChunk.parse(true, encoded);
    };
  }

  /**
   * A chunk from bytes that a checksum vouches for, which costs no look at its samples. If they
   * aren't samples after all, reading them throws {@link CorruptChunkException}.
   *
   * @param encoded as {@link #toBytes} gives it
   * @param minMs the time of the first sample, and {@code maxMs} of the last
   * @throws CorruptChunkException if there can't be as many samples in it as it says
   */
  public static Chunk of(Encoding encoding, byte[] encoded, long minMs, long maxMs) {
    byte[] padded = Arrays.copyOf(encoded, encoded.length + BitWriter.PADDING);
    return of(encoding, padded, encoded.length, minMs, maxMs);
  }

  /**
   * The same without a copy.
   *
   * @param padded the encoded samples and {@link BitWriter#PADDING} bytes more at least, which are
   *     the chunk's from now on
   * @param byteCount how many of them are the encoded samples
   */
  public static Chunk of(Encoding encoding, byte[] padded, int byteCount, long minMs, long maxMs) {
    if (byteCount > padded.length - BitWriter.PADDING) {
      throw new IllegalArgumentException(
          "expected %d bytes and padding, got %d".formatted(byteCount, padded.length));
    }
    int size = sizeOf(padded, byteCount);
    return switch (encoding) {
      case XOR -> new XorChunk(padded, byteCount, size, minMs, maxMs, Integer.MAX_VALUE);
      case HISTOGRAM -> HistogramChunk.of(false, padded, byteCount, size, minMs, maxMs);
      case FLOAT_HISTOGRAM -> HistogramChunk.of(true, padded, byteCount, size, minMs, maxMs);
    };
  }

  /** How many samples encoded bytes say that they hold, if that can be. */
  static int sizeOf(byte[] encoded, int byteCount) {
    int size = byteCount < BYTES_MIN ? 0 : (encoded[0] & 0xff) << 8 | (encoded[1] & 0xff);
    if (size == 0 || size > SAMPLES_PER_BYTE_MAX * byteCount) {
      throw new CorruptChunkException(
          "expected a chunk with samples, got %d bytes that say they are %d"
              .formatted(byteCount, size));
    }
    return size;
  }

  @Override
  public final Chunk load() {
    return this;
  }

  /** What it takes in memory. */
  @Override
  public final int memoryBytes() {
    return overheadBytes() + bytes.length;
  }

  /** Bytes of the object and its array without the data, with compressed references. */
  abstract int overheadBytes();

  /** The chunk as Prometheus writes it, count included. */
  public byte[] toBytes() {
    byte[] copy = Arrays.copyOf(bytes, byteCount);
    copy[0] = (byte) (size >>> 8);
    copy[1] = (byte) size;
    return copy;
  }

  /** The same, but it no longer tells anything about the sample before its first. */
  public abstract Chunk withoutPast();

  /** Appends the samples of a stretch of time, ends included. */
  @Override
  public final void read(long fromMs, long toMs, SampleColumns into) {
    if (fromMs <= maxMs && toMs >= minMs) {
      decode(fromMs, toMs, into);
    }
  }

  /** The same for a stretch of time that overlaps the chunk's. */
  abstract void decode(long fromMs, long toMs, SampleColumns into);

  /** Whether it has a sample in a stretch of time, ends included. */
  @Override
  public final boolean hasAny(long fromMs, long toMs, SampleColumns scratch) {
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
    return gapIsKnown() && toMs - fromMs >= gapMaxMs;
  }

  /** Whether all of its samples were seen in the making of it. */
  final boolean gapIsKnown() {
    return gapMaxMs < Integer.MAX_VALUE;
  }
}
