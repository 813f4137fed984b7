package org.inferometer.benchmarks.peers;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.inferometer.model.Labels;

/**
 * One request of Prometheus's remote write protocol 1.0 while it is put together. The block is
 * framed as Snappy wants it, but nothing in it is compressed. Not thread-safe.
 */
final class RemoteWrite {
  private static final int TIME_SERIES = 1;
  private static final int LABELS = 1;
  private static final int SAMPLES = 2;
  private static final int NAME = 1;
  private static final int VALUE = 2;
  private static final int TIMESTAMP = 2;

  /** Bytes of one literal, for a length in two bytes. */
  private static final int LITERAL_MAX = 1 << 16;

  private final ByteArrayOutputStream message = new ByteArrayOutputStream(1 << 20);
  private final ByteArrayOutputStream series = new ByteArrayOutputStream(4096);

  /** Samples of one series, in order of time. */
  void add(Labels labels, long[] timesMs, double[] values) {
    series.reset();
    for (int i = 0; i < labels.size(); i++) {
      byte[] name = labels.name(i).getBytes(StandardCharsets.UTF_8);
      byte[] value = labels.value(i).getBytes(StandardCharsets.UTF_8);
      tag(series, LABELS, 2);
      varint(series, fieldSize(name) + fieldSize(value));
      field(series, NAME, name);
      field(series, VALUE, value);
    }
    for (int i = 0; i < timesMs.length; i++) {
      tag(series, SAMPLES, 2);
      varint(series, 1 + Double.BYTES + 1 + varintSize(timesMs[i]));
      tag(series, 1, 1);
      series.writeBytes(
          ByteBuffer.allocate(Double.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putDouble(values[i])
              .array());
      tag(series, TIMESTAMP, 0);
      varint(series, timesMs[i]);
    }
    field(message, TIME_SERIES, series.toByteArray());
  }

  private static int fieldSize(byte[] bytes) {
    return 1 + varintSize(bytes.length) + bytes.length;
  }

  private static void field(ByteArrayOutputStream out, int number, byte[] bytes) {
    tag(out, number, 2);
    varint(out, bytes.length);
    out.writeBytes(bytes);
  }

  private static void tag(ByteArrayOutputStream out, int number, int wireType) {
    varint(out, ((long) number << 3) | wireType);
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  private static int varintSize(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + 6) / 7;
  }

  /** The body of the request. */
  byte[] body() {
    byte[] bytes = message.toByteArray();
    ByteArrayOutputStream block =
        new ByteArrayOutputStream(bytes.length + bytes.length / 1000 + 16);
    varint(block, bytes.length);
    for (int from = 0; from < bytes.length; from += LITERAL_MAX) {
      int length = Math.min(LITERAL_MAX, bytes.length - from);
      block.write(61 << 2);
      block.write(length - 1);
      block.write((length - 1) >> 8);
      block.write(bytes, from, length);
    }
    return block.toByteArray();
  }
}
