package org.inferometer.signals;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/** Values in words, rounded to what can be known. */
public final class Phrases {
  private static final MathContext DIGITS = new MathContext(2, RoundingMode.HALF_UP);

  private Phrases() {}

  /** A value with its unit: "0.21 s", "95 %", "12 requests". */
  public static String value(String unit, double value) {
    boolean perSecond = unit.endsWith("/s");
    String base = perSecond ? unit.substring(0, unit.length() - 2) : unit;
    String text =
        switch (base) {
          case "seconds" -> seconds(value);
          case "ratio" -> number(value * 100) + " %";
          case "bytes" -> bytes(value);
          case "watts" -> number(value) + " W";
          case "celsius" -> number(value) + " °C";
          case "hertz" -> number(value / 1e6) + " MHz";
          case "requests" -> perSecond ? number(value) + " req" : counted(value, "request");
          case "tokens" -> perSecond ? number(value) + " tok" : counted(value, "token");
          default -> number(value);
        };
    return perSecond ? text + "/s" : text;
  }

  private static String counted(double value, String noun) {
    return number(value) + " " + (value == 1 ? noun : noun + "s");
  }

  static String seconds(double value) {
    return Math.abs(value) < 1 ? number(value * 1000) + " ms" : number(value) + " s";
  }

  private static String bytes(double value) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    double scaled = value;
    while (Math.abs(scaled) >= 1024 && unit < units.length - 1) {
      scaled /= 1024;
      unit++;
    }
    return number(scaled) + " " + units[unit];
  }

  /** Two significant digits, but never fewer than the whole part has. */
  public static String number(double value) {
    if (!Double.isFinite(value)) {
      return "unknown";
    }
    if (Math.abs(value) >= 10) {
      return String.valueOf(Math.round(value));
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  /** What a bucket's edges allow to be said of a quantile. */
  public static String bounds(String unit, double low, double high) {
    if (Double.isNaN(high)) {
      return "";
    }
    if (Double.isInfinite(high)) {
      return " (over " + value(unit, low) + ")";
    }
    return low <= 0 || Double.isNaN(low)
        ? " (under " + value(unit, high) + ")"
        : " (between " + value(unit, low) + " and " + value(unit, high) + ")";
  }

  /** A title within a sentence: "time to first token P95", "KV cache usage". */
  public static String inSentence(String title) {
    String plain = title.replace(", P", " P");
    boolean acronym = plain.length() > 1 && Character.isUpperCase(plain.charAt(1));
    return acronym ? plain : plain.substring(0, 1).toLowerCase(Locale.ROOT) + plain.substring(1);
  }

  static String sentence(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  /** A stretch of time: "40 s", "12 min", "3 h". */
  static String duration(long ms) {
    long seconds = Math.max(0, Math.round(ms / 1000.0));
    if (seconds < 120) {
      return seconds + " s";
    }
    return seconds < 7200
        ? Math.round(seconds / 60.0) + " min"
        : Math.round(seconds / 3600.0) + " h";
  }

  /** Names what tells a series from the others: "GPU 3", "instance a:8000", or "it". */
  static String which(Labels labels) {
    @Nullable String found = null;
    for (String label : new String[] {"gpu", "uuid", "instance"}) {
      if (found == null && labels.has(label)) {
        found = (label.equals("instance") ? "" : "GPU ") + labels.get(label);
      }
    }
    return found == null ? "it" : found;
  }
}
