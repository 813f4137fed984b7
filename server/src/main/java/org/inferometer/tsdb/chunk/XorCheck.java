package org.inferometer.tsdb.chunk;

import org.inferometer.io.BitReader;

/**
 * A slow walk over the samples of an {@link XorChunk} that may be anything, which knows afterwards
 * what their times are. Not thread-safe.
 */
final class XorCheck {
  private static final int[] DELTA_BITS = {0, 14, 17, 20, 64};

  private final BitReader in;
  private final int endBit;
  private final int size;
  private final long[] bits = new long[1];
  private final short[] windows = {XorCode.NO_WINDOW};
  private long minMs;
  private long maxMs;
  private long deltaMs;
  private int gapMaxMs;

  /**
   * @param padded the encoded samples and padding
   */
  XorCheck(byte[] padded, int byteCount, int size) {
    in = new BitReader(padded, 16);
    endBit = byteCount * 8;
    this.size = size;
  }

  /**
   * @throws CorruptChunkException if they can't be read
   */
  void walk() {
    int number = 0;
    try {
      for (; number < size; number++) {
        step(number);
      }
    } catch (IndexOutOfBoundsException | IllegalArgumentException | IllegalStateException e) {
      throw new CorruptChunkException(
          "expected %d samples in %d bytes, but sample %d is malformed: %s"
              .formatted(size, endBit / 8, number, e.getMessage()),
          e);
    }
  }

  private void step(int number) {
    if (number == 0) {
      minMs = in.readVarint();
      maxMs = minMs;
      bits[0] = in.readBits(64);
    } else {
      deltaMs = number == 1 ? in.readUnsignedVarint() : deltaMs + readDeltaOfDelta();
      later(maxMs + deltaMs);
      XorCode.read(in, bits, windows, 0);
    }
    if (in.position() > endBit) {
      throw new IllegalArgumentException(
          "expected it to end at bit %d, it reaches to %d".formatted(endBit, in.position()));
    }
  }

  private void later(long timestampMs) {
    if (timestampMs <= maxMs) {
      throw new IllegalArgumentException(
          "expected a later timestamp than %d, got %d".formatted(maxMs, timestampMs));
    }
    boolean counts = 0 < deltaMs && deltaMs < Integer.MAX_VALUE;
    gapMaxMs = Math.max(gapMaxMs, counts ? (int) deltaMs : Integer.MAX_VALUE);
    maxMs = timestampMs;
  }

  private long readDeltaOfDelta() {
    int ones = 0;
    while (ones < DELTA_BITS.length - 1 && in.readBits(1) == 1) {
      ones++;
    }
    int count = DELTA_BITS[ones];
    if (count == 0) {
      return 0;
    }
    long value = in.readBits(count);
    return count < Long.SIZE && value > 1L << (count - 1) ? value - (1L << count) : value;
  }

  long minMs() {
    return minMs;
  }

  long maxMs() {
    return maxMs;
  }

  /** No two neighbouring samples are farther apart; the largest number if that isn't known. */
  int gapMaxMs() {
    return gapMaxMs;
  }
}
