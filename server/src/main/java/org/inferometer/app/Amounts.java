package org.inferometer.app;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Bytes, stretches of time and moments as people read them. */
final class Amounts {
  private static final long KIB = 1024;
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB"};

  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Amounts() {}

  /** {@code 837 B}, {@code 1.4 KiB}. */
  static String bytes(long bytes) {
    if (bytes < KIB) {
      return bytes + " B";
    }
    double size = bytes;
    int unit = -1;
    while (size >= KIB && unit < UNITS.length - 1) {
      size /= KIB;
      unit++;
    }
    return "%.1f %s".formatted(size, UNITS[unit]);
  }

  /** {@code 2h0m0s}, {@code 1m40.001s}, {@code 1ms}: as promtool shows them. */
  static String duration(long ms) {
    if (ms == 0) {
      return "0s";
    }
    if (Math.abs(ms) < 1000) {
      return ms + "ms";
    }
    long size = Math.abs(ms);
    String text = ms < 0 ? "-" : "";
    if (size >= 3_600_000) {
      text += size / 3_600_000 + "h";
    }
    if (size >= 60_000) {
      text += size / 60_000 % 60 + "m";
    }
    String fraction = "%03d".formatted(size % 1000).replaceFirst("0+$", "");
    return text + size / 1000 % 60 + (fraction.isEmpty() ? "" : "." + fraction) + "s";
  }

  /** RFC 3339 in UTC with milliseconds, always of the same width. */
  static String time(long timestampMs) {
    return MILLIS.format(Instant.ofEpochMilli(timestampMs));
  }

  /** A count and what is counted: {@code 1 block}, {@code 2 blocks}. */
  static String count(long count, String noun) {
    return count + " " + noun + (count == 1 || noun.endsWith("series") ? "" : "s");
  }
}
