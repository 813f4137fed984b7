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

  /**
   * What is known of a value: "2.4 s", "> 10 s" beyond the last edge of its buckets, "< 100 ms" in
   * the first of them, "60 % to 75 %" if there are only bounds, "unknown".
   *
   * @param low NaN if there is none
   * @param high infinite beyond the last edge, NaN if there is none
   */
  public static String reading(String unit, double value, double low, double high) {
    if (Double.isNaN(value)) {
      return Double.isFinite(high) ? range(unit, low, high) : "unknown";
    }
    return switch (SignalSeries.side(value, low, high)) {
      case WITHIN -> value(unit, value);
      case ABOVE -> "> " + value(unit, low);
      case BELOW -> "< " + value(unit, high);
    };
  }

  private static String range(String unit, double low, double high) {
    String from = value(unit, low);
    String to = value(unit, high);
    return from.equals(to) ? from : from + " to " + to;
  }

  /** The same with both edges where they are known: "2.4 s (between 1 s and 2.5 s)". */
  public static String readingWithEdges(String unit, double value, double low, double high) {
    boolean both =
        Double.isFinite(value)
            && Double.isFinite(high)
            && SignalSeries.side(value, low, high) == SignalSeries.Side.WITHIN;
    String reading = reading(unit, value, low, high);
    return both
        ? reading + " (between " + value(unit, low) + " and " + value(unit, high) + ")"
        : reading;
  }

  /** What is known of a value of a series. */
  public static String reading(String unit, SignalSeries series, int index) {
    return reading(unit, series.values()[index], series.low(index), series.high(index));
  }

  /** The same with both edges where they are known. */
  public static String readingWithEdges(String unit, SignalSeries series, int index) {
    return readingWithEdges(unit, series.values()[index], series.low(index), series.high(index));
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
