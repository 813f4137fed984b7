package org.inferometer.tsdb.chunk;

import org.inferometer.histogram.NativeHistogram;
import org.jspecify.annotations.Nullable;

/** An {@link XorChunk} in the making. */
final class XorChunkBuilder extends ChunkBuilder {
  /** Bytes of the object, its writer and array without the data. */
  private static final int OVERHEAD_BYTES = 64 + WRITER_BYTES;

  /** A counter that stands still fills a chunk in about this much. */
  private static final int CAPACITY_FIRST = 40;

  private long lastDelta;
  private long lastBits;
  private short window = XorCode.NO_WINDOW;

  XorChunkBuilder(long timestampMs, double value) {
    super(timestampMs, CAPACITY_FIRST);
    lastBits = Double.doubleToRawLongBits(value);
    out.writeVarint(timestampMs);
    out.writeBits(lastBits, 64);
  }

  @Override
  public boolean isFull() {
    return size() >= Chunk.SAMPLES_MAX;
  }

  @Override
  boolean isOverfull() {
    return size() > Chunk.SAMPLES_MAX;
  }

  @Override
  public boolean endsWith(double value, @Nullable NativeHistogram histogram) {
    return histogram == null && lastBits == Double.doubleToRawLongBits(value);
  }

  /** Nothing to forget: a float is compared with the one before when it is read. */
  @Override
  public void forgetPast() {}

  @Override
  public int memoryBytes() {
    return OVERHEAD_BYTES + out.bytes().length;
  }

  @Override
  public @Nullable ChunkBuilder with(
      long timestampMs, double value, @Nullable NativeHistogram histogram) {
    if (histogram != null) {
      return null;
    }
    add(timestampMs, value);
    return this;
  }

  @Override
  public int append(long[] timestampsMs, double[] values, int from, int to, long beforeMs) {
    int end = Math.min(to, from + Chunk.SAMPLES_MAX - size());
    int i = from;
    while (i < end && timestampsMs[i] > maxMs() && timestampsMs[i] < beforeMs) {
      add(timestampsMs[i], values[i]);
      i++;
    }
    return i - from;
  }

  void add(long timestampMs, double value) {
    long delta = timestampMs - maxMs();
    if (size() == 1) {
      out.writeUnsignedVarint(delta);
    } else {
      writeDeltaOfDelta(delta - lastDelta);
    }
    long bits = Double.doubleToRawLongBits(value);
    window = XorCode.write(out, bits ^ lastBits, window);
    lastDelta = delta;
    lastBits = bits;
    grew(timestampMs);
  }

  private void writeDeltaOfDelta(long value) {
    if (value == 0) {
      out.writeBits(0, 1);
    } else if (fits(value, 14)) {
      out.writeBits((0b10L << 14) | (value & 0x3fff), 16);
    } else if (fits(value, 17)) {
      out.writeBits((0b110L << 17) | (value & 0x1ffff), 20);
    } else if (fits(value, 20)) {
      out.writeBits((0b1110L << 20) | (value & 0xfffff), 24);
    } else {
      out.writeBits(0b1111, 4);
      out.writeBits(value, 64);
    }
  }

  private static boolean fits(long value, int bits) {
    return -((1L << (bits - 1)) - 1) <= value && value <= 1L << (bits - 1);
  }

  @Override
  XorChunk chunk(byte[] bytes) {
    return new XorChunk(bytes, out.byteCount(), size(), minMs(), maxMs(), gapMaxMs());
  }
}
