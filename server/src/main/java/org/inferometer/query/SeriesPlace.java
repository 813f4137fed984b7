package org.inferometer.query;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.inferometer.model.Labels;
import org.inferometer.model.XxHash64;

/**
 * A series' fixed place between 0 and 1, which {@code limit_ratio} chooses by. It is the one that
 * Prometheus gives it (from 2.44 on, in its default build): XXH64 of all names and values in label
 * order, each behind its length in UTF-8 bytes.
 */
final class SeriesPlace {
  /** Lengths from here on take three bytes behind this one. */
  private static final int LONG_LENGTH = 255;

  private static final double HASH_MAX = 0x1p64;

  private SeriesPlace() {}

  static double of(Labels labels) {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    labels.forEach(
        (name, value) -> {
          write(name, encoded);
          write(value, encoded);
        });
    byte[] bytes = encoded.toByteArray();
    return unsigned(XxHash64.of(bytes, bytes.length)) / HASH_MAX;
  }

  private static void write(String text, ByteArrayOutputStream out) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < LONG_LENGTH) {
      out.write(bytes.length);
    } else {
      out.write(LONG_LENGTH);
      out.write(bytes.length);
      out.write(bytes.length >> 8);
      out.write(bytes.length >> 16);
    }
    out.writeBytes(bytes);
  }

  /** The nearest double of an unsigned number; the lowest bit, if lost, decides ties. */
  private static double unsigned(long value) {
    return value >= 0 ? (double) value : (double) ((value >>> 1) | (value & 1)) * 2;
  }
}
