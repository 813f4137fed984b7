package org.inferometer.exposition;

import java.nio.charset.StandardCharsets;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.MetricType;

/**
 * The labels that hold a number, {@code le} and {@code quantile}, in one notation, so that clients
 * in different languages give one series: {@code 1}, {@code 1.} and {@code 1e0} become {@code 1.0}.
 */
final class NumberLabels {
  private NumberLabels() {}

  /** The label that holds a number under a type, or "". */
  static String of(MetricType type) {
    return type == MetricType.HISTOGRAM ? "le" : type == MetricType.SUMMARY ? "quantile" : "";
  }

  /** A number as OpenMetrics writes it; what isn't a number stays as it is. */
  static String normalize(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    FloatReader floats = new FloatReader();
    return floats.read(bytes, 0, bytes.length) ? format(floats.value()) : text;
  }

  /** Go's {@code %g} with the fewest digits, and {@code .0} behind an integer. */
  static String format(double value) {
    if (value == 0) {
      return "0.0";
    }
    double size = Math.abs(value);
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return FloatFormat.plain(value);
    }
    String text =
        size < 1e-4 || size >= 1e6 ? FloatFormat.scientific(value) : FloatFormat.plain(value);
    return text.indexOf('.') < 0 && text.indexOf('e') < 0 ? text + ".0" : text;
  }
}
