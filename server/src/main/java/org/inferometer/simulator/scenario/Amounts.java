package org.inferometer.simulator.scenario;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations and sizes as scenarios write them: {@code 90s}, {@code 1h30m}, {@code 1.5s}, {@code
 * 200us}; {@code 80GB} is 80 * 10^9 bytes and {@code 64GiB} 64 * 2^30, as data sheets and systems
 * have them. Longest unit first.
 */
final class Amounts {
  private static final String[] UNITS = {"d", "h", "m", "s", "ms", "us", "ns"};
  private static final long[] NANOS = {
    86_400_000_000_000L, 3_600_000_000_000L, 60_000_000_000L, 1_000_000_000, 1_000_000, 1_000, 1
  };

  private static final Pattern PART =
      Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(d|h|ms|m|s|us|ns)");
  private static final Pattern SIZE =
      Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?)(?:([KMGT])(i)?)?B");
  private static final BigDecimal NANOS_MAX = BigDecimal.valueOf(Long.MAX_VALUE / 4);
  private static final int TEXT_MAX = 100;

  private Amounts() {}

  /**
   * Nanoseconds of a duration; {@code 0} needs no unit.
   *
   * @throws IllegalArgumentException if it isn't one; the message says what was expected
   */
  static long nanos(String text) {
    if (text.equals("0")) {
      return 0;
    }
    if (text.isEmpty() || text.length() > TEXT_MAX) {
      throw notDuration();
    }
    Matcher part = PART.matcher(text);
    BigDecimal sum = BigDecimal.ZERO;
    int end = 0;
    int unit = -1;
    while (end < text.length()) {
      if (!part.find(end) || part.start() != end || unit(part.group(2)) <= unit) {
        throw notDuration();
      }
      unit = unit(part.group(2));
      sum = sum.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(NANOS[unit])));
      end = part.end();
    }
    if (sum.compareTo(NANOS_MAX) > 0) {
      throw new IllegalArgumentException("a duration below 73 years");
    }
    return sum.setScale(0, RoundingMode.HALF_UP).longValueExact();
  }

  private static int unit(String name) {
    for (int i = 0; i < UNITS.length; i++) {
      if (UNITS[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private static IllegalArgumentException notDuration() {
    return new IllegalArgumentException("a duration such as 90s, 8m, 1h30m or 250ms");
  }

  /** A duration in the same notation, in whole units. */
  static String format(long nanos) {
    StringBuilder text = new StringBuilder();
    long rest = nanos;
    for (int i = 0; i < UNITS.length; i++) {
      if (rest >= NANOS[i]) {
        text.append(rest / NANOS[i]).append(UNITS[i]);
        rest %= NANOS[i];
      }
    }
    return text.isEmpty() ? "0s" : text.toString();
  }

  /**
   * Bytes of a size.
   *
   * @throws IllegalArgumentException if it isn't one; the message says what was expected
   */
  static double bytes(String text) {
    Matcher size = SIZE.matcher(text);
    if (text.length() > TEXT_MAX || !size.matches()) {
      throw new IllegalArgumentException("a size such as 80GB or 64GiB");
    }
    double base = size.group(3) == null ? 1000 : 1024;
    int power = size.group(2) == null ? 0 : "KMGT".indexOf(size.group(2)) + 1;
    return Double.parseDouble(size.group(1)) * Math.pow(base, power);
  }
}
