package org.inferometer.tsdb.wal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.inferometer.model.Labels;

/** Reads the parts of one record, which may be any bytes. Not thread-safe. */
final class RecordCursor {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** A sample with differences of up to three bytes. */
  private static final int NEAR_SAMPLE_BYTES = 3 + 3 + Long.BYTES;

  private final byte[] bytes;
  private final int from;
  private final int end;
  private int position;

  RecordCursor(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.from = from;
    this.end = end;
    this.position = from;
  }

  boolean hasMore() {
    return position < end;
  }

  /** What is wrong at the place that is read next. */
  CorruptRecordException expected(String what) {
    return new CorruptRecordException(
        "at byte %d of %d of the record: expected %s".formatted(position - from, end - from, what));
  }

  int u8() throws CorruptRecordException {
    if (position == end) {
      throw expected("another byte");
    }
    return bytes[position++] & 0xff;
  }

  long u64() throws CorruptRecordException {
    if (end - position < Long.BYTES) {
      throw expected("8 bytes, got " + (end - position));
    }
    long value = (long) LONG.get(bytes, position);
    position += Long.BYTES;
    return value;
  }

  double float64() throws CorruptRecordException {
    return Double.longBitsToDouble(u64());
  }

  long uvarint() throws CorruptRecordException {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int next = u8();
      value |= (next & 0x7fL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw expected("a number of ten bytes at most");
  }

  long varint() throws CorruptRecordException {
    long value = uvarint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A number of things that take some bytes each at least: no more than can be there. */
  int count(int bytesMin) throws CorruptRecordException {
    long count = uvarint();
    int most = (end - position) / bytesMin;
    if (count < 0 || count > most) {
      throw expected("at most %d things, got %s".formatted(most, Long.toUnsignedString(count)));
    }
    return (int) count;
  }

  String string() throws CorruptRecordException {
    int length = count(1);
    String text = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return text;
  }

  Labels labels() throws CorruptRecordException {
    String[] pairs = new String[2 * count(2)];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = string();
    }
    try {
      return Labels.ofOrdered(pairs);
    } catch (IllegalArgumentException e) {
      throw new CorruptRecordException("expected a label set: " + e.getMessage(), e);
    }
  }

  /** Samples up to the end of the record, against a reference and a time. */
  void samples(WalSamples into, long baseRef, long baseMs) throws CorruptRecordException {
    while (end - position >= NEAR_SAMPLE_BYTES) {
      manyNear(into, baseRef, baseMs);
      oneSample(into, baseRef, baseMs);
    }
    while (position < end) {
      oneSample(into, baseRef, baseMs);
    }
  }

  private void oneSample(WalSamples into, long baseRef, long baseMs) throws CorruptRecordException {
    long ref = baseRef + varint();
    long timestampMs = baseMs + varint();
    into.add(ref, timestampMs, float64());
  }

  /**
   * Reads samples of which both differences are short and that aren't near the end, up to another:
   * most are, and need no checks of each byte.
   */
  private void manyNear(WalSamples into, long baseRef, long baseMs) {
    int at = position;
    int last = end - NEAR_SAMPLE_BYTES;
    while (at <= last) {
      int refBytes = nearBytes(at);
      int timeBytes = nearBytes(at + refBytes);
      if (refBytes == 0 || timeBytes == 0) {
        break;
      }
      long ref = baseRef + near(at, refBytes);
      long timestampMs = baseMs + near(at + refBytes, timeBytes);
      at += refBytes + timeBytes;
      into.add(ref, timestampMs, Double.longBitsToDouble((long) LONG.get(bytes, at)));
      at += Long.BYTES;
    }
    position = at;
  }

  /** How many bytes a number takes, up to three; 0 for more. */
  private int nearBytes(int at) {
    if (bytes[at] >= 0) {
      return 1;
    }
    if (bytes[at + 1] >= 0) {
      return 2;
    }
    return bytes[at + 2] >= 0 ? 3 : 0;
  }

  private long near(int at, int count) {
    long value = bytes[at] & 0x7f;
    if (count > 1) {
      value |= (bytes[at + 1] & 0x7fL) << 7;
    }
    if (count > 2) {
      value |= (bytes[at + 2] & 0x7fL) << 14;
    }
    return (value >>> 1) ^ -(value & 1);
  }
}
