package org.inferometer.tsdb.chunk;

import java.util.Arrays;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.io.BitWriter;
import org.jspecify.annotations.Nullable;

/**
 * The chunk of a series that samples are added to, in ascending time. Not thread-safe; the chunks
 * it gives out are, and stay as they are.
 */
public abstract sealed class ChunkBuilder permits XorChunkBuilder, HistogramChunkBuilder {
  /** Bytes of a writer and its array without the data. */
  static final int WRITER_BYTES = 24 + 16;

  final BitWriter out;
  private final long minMs;
  private long lastMs;
  private int gapMaxMs;
  private short size = 1;

  /** Begins with the count of samples, which is put in when the chunk leaves the process. */
  ChunkBuilder(long timestampMs, int capacity) {
    minMs = timestampMs;
    lastMs = timestampMs;
    out = new BitWriter(capacity);
    out.writeBits(0, 16);
  }

  /**
   * A builder that begins with a sample.
   *
   * @param before the one that ends with the sample before, if there is one
   * @param histogram null for a float sample, of which the value then counts
   */
  public static ChunkBuilder begin(
      @Nullable ChunkBuilder before,
      long timestampMs,
      double value,
      @Nullable NativeHistogram histogram) {
    return histogram == null
        ? new XorChunkBuilder(timestampMs, value)
        : HistogramChunkBuilder.after(before, timestampMs, histogram);
  }

  /**
   * Adds a sample if chunks like this can hold it.
   *
   * @return the builder that holds it, which may be another one in place of this; null if the
   *     sample needs a chunk of its own
   */
  public abstract @Nullable ChunkBuilder with(
      long timestampMs, double value, @Nullable NativeHistogram histogram);

  /**
   * Adds floats with {@code from <= index < to} as long as there is room and each is newer than the
   * one before, and before a time. Returns how many that are, which may be none.
   */
  public int append(long[] timestampsMs, double[] values, int from, int to, long beforeMs) {
    return 0;
  }

  /** Notes that a sample was written. */
  final void grew(long timestampMs) {
    long gapMs = timestampMs - lastMs;
    boolean counts = 0 <= gapMs && gapMs < Integer.MAX_VALUE;
    gapMaxMs = Math.max(gapMaxMs, counts ? (int) gapMs : Integer.MAX_VALUE);
    lastMs = timestampMs;
    size++;
  }

  public final int size() {
    return size;
  }

  public final long minMs() {
    return minMs;
  }

  public final long maxMs() {
    return lastMs;
  }

  /** No two neighbouring samples are farther apart; the largest number if that isn't known. */
  final int gapMaxMs() {
    return gapMaxMs;
  }

  /** Whether the next sample should go to another chunk. */
  public abstract boolean isFull();

  /** Whether it has grown so far that it had better be two. */
  abstract boolean isOverfull();

  /** Whether the newest sample is the same as this. */
  public abstract boolean endsWith(double value, @Nullable NativeHistogram histogram);

  /** From now on it no longer tells anything about the sample before its first. */
  public abstract void forgetPast();

  /** What it takes in memory. */
  public abstract int memoryBytes();

  /** The samples so far in the given bytes. */
  abstract Chunk chunk(byte[] bytes);

  /** The samples so far, over the builder's own array. */
  public final Chunk view() {
    return chunk(out.bytes());
  }

  /** The samples so far in an array of their own without slack. */
  public final Chunk seal() {
    return chunk(Arrays.copyOf(out.bytes(), out.byteCount() + BitWriter.PADDING));
  }
}
