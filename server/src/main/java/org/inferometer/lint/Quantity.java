package org.inferometer.lint;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a number counts.
 *
 * @param dimension such as {@code time}, {@code ratio}, {@code bytes}; "" if unknown
 * @param factor how many base units (seconds, 1, bytes) one of it is
 * @param perSecond whether it is so many for each second
 */
record Quantity(String dimension, double factor, boolean perSecond) {
  static final Quantity UNKNOWN = new Quantity("", 1, false);

  static final String TIME = "time";
  static final String RATIO = "ratio";
  static final String BYTES = "bytes";

  private static final Map<String, Quantity> WORDS =
      Map.ofEntries(
          Map.entry("seconds", new Quantity(TIME, 1, false)),
          Map.entry("milliseconds", new Quantity(TIME, 1e-3, false)),
          Map.entry("microseconds", new Quantity(TIME, 1e-6, false)),
          Map.entry("nanoseconds", new Quantity(TIME, 1e-9, false)),
          Map.entry("ratio", new Quantity(RATIO, 1, false)),
          Map.entry("percent", new Quantity(RATIO, 0.01, false)),
          Map.entry("bytes", new Quantity(BYTES, 1, false)),
          Map.entry("kilobytes", new Quantity(BYTES, 1e3, false)),
          Map.entry("megabytes", new Quantity(BYTES, 1e6, false)),
          Map.entry("gigabytes", new Quantity(BYTES, 1e9, false)),
          Map.entry("kibibytes", new Quantity(BYTES, 1024, false)),
          Map.entry("mebibytes", new Quantity(BYTES, 1 << 20, false)),
          Map.entry("gibibytes", new Quantity(BYTES, 1 << 30, false)));

  private static final Map<String, Quantity> PANEL_UNITS =
      Map.ofEntries(
          Map.entry("percent", new Quantity(RATIO, 0.01, false)),
          Map.entry("percentunit", new Quantity(RATIO, 1, false)),
          Map.entry("s", new Quantity(TIME, 1, false)),
          Map.entry("ms", new Quantity(TIME, 1e-3, false)),
          Map.entry("µs", new Quantity(TIME, 1e-6, false)),
          Map.entry("ns", new Quantity(TIME, 1e-9, false)),
          Map.entry("bytes", new Quantity(BYTES, 1, false)),
          Map.entry("decbytes", new Quantity(BYTES, 1, false)),
          Map.entry("kbytes", new Quantity(BYTES, 1024, false)),
          Map.entry("deckbytes", new Quantity(BYTES, 1e3, false)),
          Map.entry("mbytes", new Quantity(BYTES, 1 << 20, false)),
          Map.entry("decmbytes", new Quantity(BYTES, 1e6, false)),
          Map.entry("gbytes", new Quantity(BYTES, 1 << 30, false)),
          Map.entry("decgbytes", new Quantity(BYTES, 1e9, false)));

  /** What a family's unit means. */
  static Quantity ofFamily(String unit) {
    if (unit.endsWith("/s")) {
      Quantity each = ofFamily(unit.substring(0, unit.length() - 2));
      return new Quantity(each.dimension, each.factor, true);
    }
    return WORDS.getOrDefault(unit, new Quantity(unit, 1, false));
  }

  /** What a unit of Grafana's means, null if it isn't one that can be compared. */
  static @Nullable Quantity ofPanel(String unit) {
    return PANEL_UNITS.get(unit);
  }

  boolean is(String wanted) {
    return dimension.equals(wanted);
  }

  Quantity rate() {
    return new Quantity(dimension, factor, true);
  }

  Quantity total() {
    return new Quantity(dimension, factor, false);
  }

  /** After the number was multiplied. */
  Quantity times(double k) {
    return k == 0 ? UNKNOWN : new Quantity(dimension, factor / k, perSecond);
  }

  /** How many base units a number of it is. */
  double base(double number) {
    return number * factor;
  }
}
