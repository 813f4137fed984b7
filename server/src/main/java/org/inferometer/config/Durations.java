package org.inferometer.config;

import java.math.BigInteger;

/**
 * Durations as Prometheus writes them, such as {@code 1h30m} or {@code 500ms}: each of y, w, d, h,
 * m, s, ms at most once and in this order; a year is 365 days. Source: prometheus/common, {@code
 * model/time.go}.
 */
public final class Durations {
  private static final String[] UNITS = {"y", "w", "d", "h", "m", "s", "ms"};
  private static final long[] MILLIS = {
    365L * 86_400_000, 7L * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000, 1
  };

  /** Go's longest duration, 2^63 - 1 ns, in whole milliseconds. */
  private static final BigInteger MILLIS_MAX = BigInteger.valueOf(Long.MAX_VALUE / 1_000_000);

  private Durations() {}

  /**
   * Milliseconds of a duration. {@code 0} needs no unit.
   *
   * @throws IllegalArgumentException if it isn't one; the message says what was expected
   */
  public static long parseMs(String text) {
    if (text.equals("0")) {
      return 0;
    }
    BigInteger sum = BigInteger.ZERO;
    int unit = 0;
    int i = 0;
    while (i < text.length()) {
      int digits = i;
      while (i < text.length() && isDigit(text.charAt(i))) {
        i++;
      }
      int letters = i;
      while (i < text.length() && text.charAt(i) >= 'a' && text.charAt(i) <= 'z') {
        i++;
      }
      unit = unit(text.substring(letters, i), unit);
      if (letters == digits || letters - digits > 19 || unit < 0) {
        throw malformed();
      }
      sum =
          sum.add(
              new BigInteger(text.substring(digits, letters))
                  .multiply(BigInteger.valueOf(MILLIS[unit])));
      unit++;
    }
    if (text.isEmpty()) {
      throw malformed();
    }
    if (sum.compareTo(MILLIS_MAX) > 0) {
      throw new IllegalArgumentException("a duration below 292 years");
    }
    return sum.longValue();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int unit(String name, int from) {
    for (int i = from; i < UNITS.length; i++) {
      if (UNITS[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private static IllegalArgumentException malformed() {
    return new IllegalArgumentException("a duration such as 15s, 500ms or 1h30m");
  }

  /** A duration in the same notation: {@code 0s}, {@code 1m}, {@code 1d12h}. */
  public static String format(long millis) {
    if (millis == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    long rest = millis;
    for (int i = 0; i < UNITS.length; i++) {
      boolean exactOnly = i < 2;
      if (exactOnly ? rest >= MILLIS[i] && rest % MILLIS[i] == 0 : rest >= MILLIS[i]) {
        text.append(rest / MILLIS[i]).append(UNITS[i]);
        rest %= MILLIS[i];
      }
    }
    return text.toString();
  }
}
