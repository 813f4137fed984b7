package org.inferometer.promql;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as Prometheus writes them: whole numbers with the units y, w, d, h, m, s, ms, each at
 * most once, largest first. A year has 365 days, a week 7 and a day 24 hours.
 */
public final class Durations {
  private static final String[] UNITS = {"y", "w", "d", "h", "m", "s", "ms"};

  private static final long[] UNIT_MS = {
    365L * 24 * 3600 * 1000, 7L * 24 * 3600 * 1000, 24L * 3600 * 1000, 3600 * 1000, 60_000, 1000, 1
  };

  /** How many milliseconds 64 bits of nanoseconds can hold. */
  private static final long MAX_MS = Long.MAX_VALUE / 1_000_000;

  private static final Pattern FORM =
      Pattern.compile(
          "(?:([0-9]+)y)?(?:([0-9]+)w)?(?:([0-9]+)d)?(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?"
              + "(?:([0-9]+)ms)?");

  private Durations() {}

  /**
   * Milliseconds of a duration; {@code 0} needs no unit.
   *
   * @throws IllegalArgumentException if it isn't one; the message is meant for the user
   */
  public static long parseMs(String text) {
    if (text.equals("0")) {
      return 0;
    }
    if (text.isEmpty()) {
      throw new IllegalArgumentException("empty duration string");
    }
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not a valid duration string: " + GoText.quote(text));
    }
    long sumMs = 0;
    for (int i = 0; i < UNITS.length; i++) {
      String digits = parts.group(i + 1);
      if (digits != null) {
        sumMs += partMs(digits, UNIT_MS[i]);
        checkRange(sumMs);
      }
    }
    return sumMs;
  }

  private static long partMs(String digits, long unitMs) {
    if (digits.length() > 18) {
      throw outOfRange();
    }
    long count = Long.parseLong(digits);
    if (count > MAX_MS / unitMs) {
      throw outOfRange();
    }
    return count * unitMs;
  }

  private static void checkRange(long ms) {
    if (ms > MAX_MS) {
      throw outOfRange();
    }
  }

  private static IllegalArgumentException outOfRange() {
    return new IllegalArgumentException("duration out of range");
  }

  /**
   * The shortest text, as Prometheus prints it: years and weeks only where nothing is left over.
   */
  public static String format(long ms) {
    if (ms == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder(ms < 0 ? "-" : "");
    long rest = Math.abs(ms);
    for (int i = 0; i < UNITS.length; i++) {
      boolean exactOnly = i < 2;
      if (rest >= UNIT_MS[i] && (!exactOnly || rest % UNIT_MS[i] == 0)) {
        text.append(rest / UNIT_MS[i]).append(UNITS[i]);
        rest %= UNIT_MS[i];
      }
    }
    return text.toString();
  }
}
