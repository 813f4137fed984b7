package org.inferometer.config;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes as Prometheus writes them, such as {@code 15MB}; every unit is a power of 1024, with or
 * without an i. Source: alecthomas/units, {@code ParseBase2Bytes}.
 */
public final class ByteSizes {
  private static final Pattern PART =
      Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{0,9})?)([KMGTPE]i?B|B)");

  private ByteSizes() {}

  /**
   * Bytes of a size. {@code 0} needs no unit.
   *
   * @throws IllegalArgumentException if it isn't one; the message says what was expected
   */
  public static long parse(String text) {
    if (text.equals("0")) {
      return 0;
    }
    Matcher part = PART.matcher(text);
    BigDecimal sum = BigDecimal.ZERO;
    int end = 0;
    while (end < text.length() && part.find(end) && part.start() == end) {
      sum = sum.add(new BigDecimal(part.group(1)).multiply(factor(part.group(2))));
      end = part.end();
    }
    if (text.isEmpty() || end < text.length()) {
      throw new IllegalArgumentException("a size such as 512KB, 15MB or 1.5GB");
    }
    if (sum.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException("a size below 8 EB");
    }
    return sum.longValue();
  }

  private static BigDecimal factor(String unit) {
    int power = "BKMGTPE".indexOf(unit.toUpperCase(Locale.ROOT).charAt(0));
    return BigDecimal.valueOf(1024).pow(power);
  }

  /** A size in the same notation, whole in its largest exact unit. */
  public static String format(long bytes) {
    String units = "BKMGTPE";
    int unit = 0;
    long size = bytes;
    while (size != 0 && size % 1024 == 0 && unit < units.length() - 1) {
      size /= 1024;
      unit++;
    }
    return size + (unit == 0 ? "B" : units.charAt(unit) + "B");
  }
}
