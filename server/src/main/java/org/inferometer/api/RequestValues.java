package org.inferometer.api;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads times, durations and limits as Prometheus's API writes them; errors are worded as there.
 */
final class RequestValues {
  /** The ends of time that Prometheus's own clients send for "everything". */
  private static final String TIME_MIN = "-292273086-05-16T16:47:06Z";

  private static final String TIME_MAX = "292277025-08-18T07:12:54.999999999Z";

  /** Times are kept within 28 million years of the epoch, so that sums of times don't overflow. */
  static final long TIME_BOUND_MS = 900_000_000_000_000_000L;

  private static final int TEXT_MAX = 100;

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?");

  private static final Pattern DURATION =
      Pattern.compile(
          "(?:(\\d{1,18})y)?(?:(\\d{1,18})w)?(?:(\\d{1,18})d)?(?:(\\d{1,18})h)?"
              + "(?:(\\d{1,18})m)?(?:(\\d{1,18})s)?(?:(\\d{1,18})ms)?");

  /** Milliseconds of each unit, in the order of the groups above. */
  private static final long[] UNIT_MS = {
    365 * 86_400_000L, 7 * 86_400_000L, 86_400_000L, 3_600_000L, 60_000L, 1_000L, 1L
  };

  private RequestValues() {}

  /** A time in milliseconds: seconds as a number, or RFC 3339. */
  static long timeMs(Parameters parameters, String name) throws ApiException {
    return parseTimeMs(name, parameters.get(name));
  }

  /** The same, with a default for a time that isn't given. */
  static long timeMs(Parameters parameters, String name, long absentMs) throws ApiException {
    String text = parameters.find(name);
    return text == null ? absentMs : parseTimeMs(name, text);
  }

  private static long parseTimeMs(String name, String text) throws ApiException {
    if (text.equals(TIME_MIN)) {
      return -TIME_BOUND_MS;
    }
    if (text.equals(TIME_MAX)) {
      return TIME_BOUND_MS;
    }
    if (isNumber(text)) {
      double seconds = Double.parseDouble(text);
      if (Math.abs(seconds) < TIME_BOUND_MS / 1000.0) {
        double whole = seconds < 0 ? Math.ceil(seconds) : Math.floor(seconds);
        return ((long) whole) * 1000 + Math.round((seconds - whole) * 1000);
      }
    } else if (text.length() <= TEXT_MAX) {
      try {
        return OffsetDateTime.parse(text).toInstant().toEpochMilli();
      } catch (DateTimeException | ArithmeticException e) {
        // Falls through to the common message.
      }
    }
    throw ApiException.badParameter(
        name, "cannot parse \"" + shortened(text) + "\" to a valid timestamp");
  }

  /** A duration in milliseconds: seconds as a number, or units such as {@code 1h30m}. */
  static long durationMs(Parameters parameters, String name) throws ApiException {
    String text = parameters.get(name);
    if (isNumber(text)) {
      double ms = Double.parseDouble(text) * 1000;
      if (Math.abs(ms) < TIME_BOUND_MS) {
        return Math.round(ms);
      }
      throw ApiException.badParameter(
          name, "cannot parse \"" + shortened(text) + "\" to a valid duration. It overflows int64");
    }
    Matcher units = DURATION.matcher(text);
    if (text.isEmpty() || text.length() > TEXT_MAX || !units.matches()) {
      throw ApiException.badParameter(
          name, "cannot parse \"" + shortened(text) + "\" to a valid duration");
    }
    return sumOfUnits(units, name, text);
  }

  private static long sumOfUnits(Matcher units, String name, String text) throws ApiException {
    try {
      long ms = 0;
      for (int i = 0; i < UNIT_MS.length; i++) {
        String digits = units.group(i + 1);
        if (digits != null) {
          ms = Math.addExact(ms, Math.multiplyExact(Long.parseLong(digits), UNIT_MS[i]));
        }
      }
      if (ms < TIME_BOUND_MS) {
        return ms;
      }
    } catch (ArithmeticException e) {
      // Falls through to the common message.
    }
    throw ApiException.badParameter(
        name, "cannot parse \"" + text + "\" to a valid duration. It overflows int64");
  }

  /** A positive duration, or null if it isn't given. */
  static @Nullable Duration duration(Parameters parameters, String name) throws ApiException {
    if (parameters.find(name) == null) {
      return null;
    }
    long ms = durationMs(parameters, name);
    if (ms <= 0) {
      throw ApiException.badParameter(name, "expected a positive duration");
    }
    return Duration.ofMillis(ms);
  }

  /** How many results are wanted at most; 0, also the default, is all. */
  static int limit(Parameters parameters) throws ApiException {
    String text = parameters.find("limit");
    if (text == null) {
      return 0;
    }
    long limit = integer("limit", text);
    if (limit < 0) {
      throw ApiException.badParameter("limit", "limit must be non-negative");
    }
    return (int) Math.min(limit, Integer.MAX_VALUE - 1);
  }

  private static long integer(String name, String text) throws ApiException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ApiException.badParameter(
          name, "expected a whole number, got \"" + shortened(text) + "\"");
    }
  }

  /** Only plain decimal text, without what Java takes beyond it: blanks, suffixes, hex, words. */
  private static boolean isNumber(String text) {
    return text.length() <= TEXT_MAX && NUMBER.matcher(text).matches();
  }

  static String shortened(String text) {
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "...";
  }

  /**
   * @param name of the key in a JSON body
   * @param seconds a time or a duration
   */
  static long ms(double seconds, String name) throws ApiException {
    double ms = seconds * 1000;
    if (!(Math.abs(ms) < TIME_BOUND_MS)) {
      throw ApiException.badData("\"" + name + "\" is out of range");
    }
    return Math.round(ms);
  }
}
