package org.inferometer.query;

import com.google.re2j.Pattern;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers in text as Go's {@code strconv.ParseFloat} reads them, which bucket bounds follow. */
final class GoFloats {
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?");

  private GoFloats() {}

  /** The number, or null if the text is none. */
  static @Nullable Double parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> DECIMAL.matches(text) ? Double.valueOf(text) : null;
    };
  }
}
