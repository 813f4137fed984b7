package org.inferometer.exposition;

import java.util.Arrays;

/** Bytes put together, piece by piece, to stand for a series. Reused. Not thread-safe. */
final class KeyBytes {
  private byte[] bytes = new byte[256];
  private int size;

  /** The backing array; only the first {@link #size} bytes count. */
  byte[] array() {
    return bytes;
  }

  int size() {
    return size;
  }

  /** Keeps the first bytes only. */
  void truncate(int newSize) {
    size = newSize;
  }

  void add(byte value) {
    reserve(1);
    bytes[size++] = value;
  }

  void addInt(int value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      add((byte) (value >> shift));
    }
  }

  void addLong(long value) {
    addInt((int) (value >> 32));
    addInt((int) value);
  }

  void add(byte[] from, int start, int end) {
    reserve(end - start);
    System.arraycopy(from, start, bytes, size, end - start);
    size += end - start;
  }

  private void reserve(int count) {
    if (count > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(size + count, 2 * bytes.length));
    }
  }
}
