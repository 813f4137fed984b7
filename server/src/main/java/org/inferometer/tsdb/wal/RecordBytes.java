package org.inferometer.tsdb.wal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.inferometer.model.Labels;

/** A growing array that the parts of a record are written to. Not thread-safe. */
final class RecordBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int VARINT_BYTES_MAX = 10;

  private byte[] bytes = new byte[16 * 1024];
  private int size;

  byte[] array() {
    return bytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /**
   * @throws OutOfMemoryError if an array can't be that long
   */
  private void reserve(int count) {
    int needed = size + count;
    if (needed < 0) {
      throw new OutOfMemoryError("a log record of more than 2 GiB");
    }
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, needed * 3L / 2));
    }
  }

  void u8(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  void u64(long value) {
    reserve(Long.BYTES);
    LONG.set(bytes, size, value);
    size += Long.BYTES;
  }

  void float64(double value) {
    u64(Double.doubleToRawLongBits(value));
  }

  void uvarint(long value) {
    reserve(VARINT_BYTES_MAX);
    size = uvarintAt(bytes, size, value);
  }

  void varint(long value) {
    uvarint(zigzag(value));
  }

  private static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  private static int uvarintAt(byte[] bytes, int from, long value) {
    int at = from;
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
    return at;
  }

  /** Samples with {@code from <= index < to}, against a reference and a time. */
  void samples(WalSamples samples, int from, int to, long baseRef, long baseMs) {
    reserve(Math.multiplyExact(to - from, 2 * VARINT_BYTES_MAX + Long.BYTES));
    byte[] out = bytes;
    int at = size;
    for (int i = from; i < to; i++) {
      at = uvarintAt(out, at, zigzag(samples.ref(i) - baseRef));
      at = uvarintAt(out, at, zigzag(samples.timestampMs(i) - baseMs));
      LONG.set(out, at, Double.doubleToRawLongBits(samples.value(i)));
      at += Long.BYTES;
    }
    size = at;
  }

  void string(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    uvarint(utf8.length);
    reserve(utf8.length);
    System.arraycopy(utf8, 0, bytes, size, utf8.length);
    size += utf8.length;
  }

  void labels(Labels labels) {
    uvarint(labels.size());
    for (int i = 0; i < labels.size(); i++) {
      string(labels.name(i));
      string(labels.value(i));
    }
  }
}
