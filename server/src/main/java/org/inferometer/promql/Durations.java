package org.inferometer.promql;

/** Durations as queries write them: {@code 1h30m}, units from large to small, each once. */
public final class Durations {
  private static final String[] UNITS = {"y", "w", "d", "h", "m", "s", "ms"};
  private static final long[] MILLIS = {
    365L * 86_400_000, 7L * 86_400_000, 86_400_000, 3_600_000, 60_000, 1000, 1
  };

  private Durations() {}

  /**
   * @return milliseconds
   * @throws IllegalArgumentException if it isn't one, or doesn't fit 64 bits of nanoseconds
   */
  public static long parseMs(String text) {
    if (text.isEmpty() || scan(text, 0) != text.length()) {
      throw new IllegalArgumentException("not a valid duration string: \"" + text + "\"");
    }
    long total = 0;
    int at = 0;
    while (at < text.length()) {
      int digits = at;
      while (Character.isDigit(text.charAt(at))) {
        at++;
      }
      int unit = unitAt(text, at);
      try {
        total =
            Math.addExact(
                total,
                Math.multiplyExact(Long.parseLong(text.substring(digits, at)), MILLIS[unit]));
        Math.multiplyExact(total, 1_000_000L);
      } catch (ArithmeticException | NumberFormatException e) {
        throw new IllegalArgumentException("duration out of range", e);
      }
      at += UNITS[unit].length();
    }
    return total;
  }

  /** Where the duration that starts at an index ends, or -1 if none does. */
  static int scan(String text, int from) {
    int at = from;
    int lastUnit = -1;
    while (at < text.length() && isDigit(text.charAt(at))) {
      int digits = at;
      while (digits < text.length() && isDigit(text.charAt(digits))) {
        digits++;
      }
      int unit = unitAt(text, digits);
      if (unit <= lastUnit) {
        return -1;
      }
      lastUnit = unit;
      at = digits + UNITS[unit].length();
    }
    boolean goesOn = at < text.length() && (isLetter(text.charAt(at)) || text.charAt(at) == '.');
    return at == from || goesOn ? -1 : at;
  }

  private static int unitAt(String text, int at) {
    if (text.startsWith("ms", at)) {
      return 6;
    }
    for (int i = 0; i < 6; i++) {
      if (text.startsWith(UNITS[i], at)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  /** Prints with the fewest units, the largest first: {@code 5400000} is {@code 1h30m}. */
  public static String print(long durationMs) {
    if (durationMs == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder(durationMs < 0 ? "-" : "");
    long rest = Math.abs(durationMs);
    for (int i = 0; i < UNITS.length; i++) {
      boolean wholeOnly = i < 2;
      if (rest >= MILLIS[i] && (!wholeOnly || rest % MILLIS[i] == 0)) {
        text.append(rest / MILLIS[i]).append(UNITS[i]);
        rest %= MILLIS[i];
      }
    }
    return text.toString();
  }
}
