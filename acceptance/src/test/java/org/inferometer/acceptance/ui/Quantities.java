package org.inferometer.acceptance.ui;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads back what the pages show: a number in people's units becomes one in base units. */
final class Quantities {
  private static final Pattern SHOWN = Pattern.compile("^(-?[0-9.]+)\\s*(\\S.*)?$");
  private static final Map<String, Double> FACTORS =
      Map.ofEntries(
          Map.entry("", 1.0),
          Map.entry("µs", 1e-6),
          Map.entry("ms", 1e-3),
          Map.entry("s", 1.0),
          Map.entry("min", 60.0),
          Map.entry("h", 3600.0),
          Map.entry("%", 0.01),
          Map.entry("req/s", 1.0),
          Map.entry("k req/s", 1e3),
          Map.entry("k", 1e3),
          Map.entry("M", 1e6),
          Map.entry("tok/s", 1.0),
          Map.entry("k tok/s", 1e3),
          Map.entry("M tok/s", 1e6),
          Map.entry("W", 1.0),
          Map.entry("°C", 1.0),
          Map.entry("B/s", 1.0),
          Map.entry("KiB/s", 1024.0),
          Map.entry("MiB/s", 1024.0 * 1024),
          Map.entry("GiB/s", 1024.0 * 1024 * 1024));

  private Quantities() {}

  static double read(String shown) {
    Matcher parts = SHOWN.matcher(shown.strip());
    if (!parts.matches()) {
      throw new AssertionError("not a number with a unit: " + shown);
    }
    String unit = parts.group(2) == null ? "" : parts.group(2).strip();
    Double factor = FACTORS.get(unit);
    if (factor == null) {
      throw new AssertionError("unknown unit in: " + shown);
    }
    return Double.parseDouble(parts.group(1)) * factor;
  }
}
