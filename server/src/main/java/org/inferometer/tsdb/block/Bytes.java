package org.inferometer.tsdb.block;

import java.nio.charset.StandardCharsets;

/**
 * Reads numbers from bytes that may be anything, the highest byte first. Beyond their end it throws
 * {@link IndexOutOfBoundsException}. Not thread-safe.
 */
final class Bytes {
  private final byte[] bytes;
  private final int end;
  private int position;

  Bytes(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.position = from;
    this.end = end;
  }

  int position() {
    return position;
  }

  boolean hasMore() {
    return position < end;
  }

  int left() {
    return end - position;
  }

  int u8() {
    if (position >= end) {
      throw new IndexOutOfBoundsException("expected more than " + end + " bytes");
    }
    return bytes[position++] & 0xff;
  }

  long u32() {
    return ((long) u8() << 24) | (u8() << 16) | (u8() << 8) | u8();
  }

  long u64() {
    return (u32() << 32) | u32();
  }

  /**
   * @throws IllegalArgumentException if it takes more than ten bytes
   */
  long uvarint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int next = u8();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new IllegalArgumentException("expected a varint of ten bytes at most");
  }

  long varint() {
    long value = uvarint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A varint that counts things of which each takes so many bytes at least. */
  int count(int bytesMin) {
    long count = uvarint();
    if (count < 0 || count > left() / bytesMin) {
      throw new IllegalArgumentException(
          "expected no more than what fits into %d bytes, got %s"
              .formatted(left(), Long.toUnsignedString(count)));
    }
    return (int) count;
  }

  /** A text as its length and UTF-8 bytes. */
  String text() {
    int length = count(1);
    position += length;
    return new String(bytes, position - length, length, StandardCharsets.UTF_8);
  }

  /** Where bytes with their length before them begin; goes behind them. */
  int skipText() {
    int length = count(1);
    position += length;
    return position - length;
  }
}
