package org.inferometer.tsdb.block;

import java.util.Arrays;

/** Collects bytes in a growing array. Not thread-safe. */
final class ByteOutput {
  private byte[] bytes = new byte[256];
  private int size;

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  void u8(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  void uvarint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      u8((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    u8((int) rest);
  }

  /** A varint with the sign in the lowest bit. */
  void varint(long value) {
    uvarint((value << 1) ^ (value >> 63));
  }

  void bytes(byte[] more, int count) {
    reserve(count);
    System.arraycopy(more, 0, bytes, size, count);
    size += count;
  }

  private void reserve(int count) {
    if (size + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + count, 2 * bytes.length));
    }
  }
}
