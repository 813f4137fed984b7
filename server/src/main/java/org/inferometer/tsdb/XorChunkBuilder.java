package org.inferometer.tsdb;

import java.util.Arrays;
import org.inferometer.io.BitWriter;
import org.inferometer.store.SampleColumns;

/**
 * The chunk of a series that samples are added to, in ascending time. Not thread-safe; the chunks
 * it gives out are, and stay as they are.
 */
final class XorChunkBuilder {
  /** Bytes of the object, its writer and array without the data. */
  private static final int OVERHEAD_BYTES = 64 + 24 + 16;

  /** A counter that stands still fills a chunk in about this much. */
  private static final int CAPACITY_FIRST = 40;

  private static final byte NO_WINDOW = -1;

  private final BitWriter out = new BitWriter(CAPACITY_FIRST);
  private final long minMs;
  private long lastMs;
  private long lastDelta;
  private long lastBits;
  private short size;
  private byte leading = NO_WINDOW;
  private byte trailing;

  XorChunkBuilder(long timestampMs, double value) {
    minMs = timestampMs;
    lastMs = timestampMs;
    lastBits = Double.doubleToRawLongBits(value);
    size = 1;
    out.writeBits(0, 16);
    out.writeVarint(timestampMs);
    out.writeBits(lastBits, 64);
  }

  /** A builder that holds a part of the columns: {@code fromIndex <= index < toIndex}. */
  static XorChunkBuilder of(SampleColumns columns, int fromIndex, int toIndex) {
    XorChunkBuilder builder =
        new XorChunkBuilder(columns.timestampMs(fromIndex), columns.value(fromIndex));
    for (int i = fromIndex + 1; i < toIndex; i++) {
      builder.add(columns.timestampMs(i), columns.value(i));
    }
    return builder;
  }

  int size() {
    return size;
  }

  boolean isFull() {
    return size >= XorChunk.SAMPLES_MAX;
  }

  long minMs() {
    return minMs;
  }

  long maxMs() {
    return lastMs;
  }

  /** The bits of the newest value. */
  long lastBits() {
    return lastBits;
  }

  /** What it takes in memory. */
  int memoryBytes() {
    return OVERHEAD_BYTES + out.bytes().length;
  }

  void add(long timestampMs, double value) {
    long delta = timestampMs - lastMs;
    if (size == 1) {
      out.writeUnsignedVarint(delta);
    } else {
      writeDeltaOfDelta(delta - lastDelta);
    }
    long bits = Double.doubleToRawLongBits(value);
    writeXor(bits ^ lastBits);
    lastMs = timestampMs;
    lastDelta = delta;
    lastBits = bits;
    size++;
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

  private void writeXor(long difference) {
    if (difference == 0) {
      out.writeBits(0, 1);
      return;
    }
    int newLeading = Math.min(31, Long.numberOfLeadingZeros(difference));
    int newTrailing = Long.numberOfTrailingZeros(difference);
    if (leading != NO_WINDOW && newLeading >= leading && newTrailing >= trailing) {
      out.writeBits(0b10, 2);
    } else {
      leading = (byte) newLeading;
      trailing = (byte) newTrailing;
      int length = 64 - newLeading - newTrailing;
      out.writeBits((0b11L << 11) | ((long) newLeading << 6) | (length & 0x3f), 13);
    }
    out.writeBits(difference >>> trailing, 64 - leading - trailing);
  }

  /** The samples so far, over the builder's own array. */
  XorChunk view() {
    return new XorChunk(out.bytes(), out.byteCount(), size, minMs, lastMs);
  }

  /** The samples so far in an array of their own without slack. */
  XorChunk seal() {
    byte[] trimmed = Arrays.copyOf(out.bytes(), out.byteCount() + BitWriter.PADDING);
    return new XorChunk(trimmed, out.byteCount(), size, minMs, lastMs);
  }
}
