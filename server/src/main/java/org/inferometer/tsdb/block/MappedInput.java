package org.inferometer.tsdb.block;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/**
 * Reads a part of a mapped file from front to back, through a buffer: so a file that someone cut
 * off meanwhile is an {@link InternalError} where bytes are copied, and nothing worse. Sums up what
 * it has read. Beyond the end it throws {@link IndexOutOfBoundsException}. Not thread-safe.
 */
final class MappedInput {
  private static final int BUFFER_BYTES = 1 << 14;

  private final MemorySegment file;
  private final long end;
  private final byte[] buffer;
  private final CRC32C crc = new CRC32C();

  /** Where in the file the buffer begins. */
  private long base;

  private int buffered;
  private int next;

  /** Where in the buffer the bytes begin that the sum doesn't have yet. */
  private int summedTo;

  MappedInput(MemorySegment file, long from, long end) {
    this.file = file;
    this.base = from;
    this.end = end;
    buffer = new byte[Math.clamp(end - from, 0, BUFFER_BYTES)];
  }

  /** Where in the file the next byte is. */
  long position() {
    return base + next;
  }

  long left() {
    return end - position();
  }

  int u8() {
    if (next == buffered) {
      fill();
    }
    return buffer[next++] & 0xff;
  }

  private void fill() {
    sumUp();
    base += buffered;
    buffered = (int) Math.min(buffer.length, end - base);
    next = 0;
    summedTo = 0;
    if (buffered <= 0) {
      buffered = 0;
      throw new IndexOutOfBoundsException("expected more than up to offset " + end);
    }
    MemorySegment.copy(file, ValueLayout.JAVA_BYTE, base, buffer, 0, buffered);
  }

  private void sumUp() {
    crc.update(buffer, summedTo, next - summedTo);
    summedTo = next;
  }

  /** The CRC32C of what was read so far. */
  int sum() {
    sumUp();
    return (int) crc.getValue();
  }

  long u32() {
    return ((long) u8() << 24) | (u8() << 16) | (u8() << 8) | u8();
  }

  long uvarint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int digit = u8();
      value |= (long) (digit & 0x7f) << shift;
      if (digit < 0x80) {
        return value;
      }
    }
    throw new IllegalArgumentException("expected a varint of ten bytes at most");
  }

  /** A varint that counts things of which each takes so many bytes at least. */
  long count(int bytesMin) {
    long count = uvarint();
    if (count < 0 || count > left() / bytesMin) {
      throw new IllegalArgumentException(
          "expected no more than what fits into %d bytes, got %s"
              .formatted(left(), Long.toUnsignedString(count)));
    }
    return count;
  }

  /** The next bytes, of which there are so many if {@link #count} said so. */
  byte[] bytes(long count) {
    if (count > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("expected at most 2 GiB, got " + count + " bytes");
    }
    byte[] read = new byte[(int) count];
    bytes(read, read.length);
    return read;
  }

  void bytes(byte[] into, int count) {
    for (int from = 0; from < count; ) {
      if (next == buffered) {
        fill();
      }
      int step = Math.min(count - from, buffered - next);
      System.arraycopy(buffer, next, into, from, step);
      next += step;
      from += step;
    }
  }

  void skip(long count) {
    for (long left = count; left > 0; ) {
      if (next == buffered) {
        fill();
      }
      int step = (int) Math.min(left, buffered - next);
      next += step;
      left -= step;
    }
  }
}
