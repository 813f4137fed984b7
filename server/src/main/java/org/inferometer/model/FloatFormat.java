package org.inferometer.model;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Numbers as Go's {@code strconv.FormatFloat} writes them with the shortest digits. */
public final class FloatFormat {
  private FloatFormat() {}

  /** Format 'f': no exponent. NaN, +Inf and -Inf as words; -0 keeps its sign. */
  public static String plain(double value) {
    String word = word(value);
    if (word != null) {
      return word;
    }
    if (value == 0) {
      return isNegativeZero(value) ? "-0" : "0";
    }
    double size = Math.abs(value);
    if (value == Math.rint(value) && size < 1e15) {
      return Long.toString((long) value);
    }
    if (size >= 1e-3 && size < 1e7) {
      // Java writes these without an exponent, and here its two digits at least are never too many.
      return Double.toString(value);
    }
    return shortest(value).toPlainString();
  }

  /** Format 'e': one digit before the point, an exponent with a sign and at least two digits. */
  public static String scientific(double value) {
    String word = word(value);
    if (word != null) {
      return word;
    }
    if (value == 0) {
      return isNegativeZero(value) ? "-0e+00" : "0e+00";
    }
    BigDecimal exact = shortest(value);
    String digits = exact.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - exact.scale();
    StringBuilder text = new StringBuilder(24);
    if (value < 0) {
      text.append('-');
    }
    text.append(digits.charAt(0));
    if (digits.length() > 1) {
      text.append('.').append(digits, 1, digits.length());
    }
    text.append('e').append(exponent < 0 ? '-' : '+');
    if (Math.abs(exponent) < 10) {
      text.append('0');
    }
    return text.append(Math.abs(exponent)).toString();
  }

  /** Format 'g': 'e' below 1e-4 and from 1e6 on, else 'f'. */
  public static String general(double value) {
    double size = Math.abs(value);
    return size != 0 && (size < 1e-4 || size >= 1e6) ? scientific(value) : plain(value);
  }

  /**
   * As OpenMetrics wants the values of {@code le} and {@code quantile}: 'g', but always a float.
   */
  public static String openMetrics(double value) {
    String text = general(value);
    boolean isFloat = text.contains(".") || text.contains("e") || !Double.isFinite(value);
    return isFloat ? text : text + ".0";
  }

  /** As sample values stand in the HTTP API: 'f' for 1e-6 <= |v| < 1e21 and 0, else 'e'. */
  public static String sample(double value) {
    double size = Math.abs(value);
    return size != 0 && (size < 1e-6 || size >= 1e21) ? scientific(value) : plain(value);
  }

  /** The fewest digits that read back as the value. Java's own text has two at least. */
  private static BigDecimal shortest(double value) {
    BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    if (digits.precision() == 2) {
      BigDecimal one = digits.round(new MathContext(1, RoundingMode.HALF_EVEN));
      if (one.doubleValue() == value) {
        return one.stripTrailingZeros();
      }
    }
    return digits;
  }

  private static @Nullable String word(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return null;
  }

  private static boolean isNegativeZero(double value) {
    return Double.doubleToRawLongBits(value) != 0;
  }
}
