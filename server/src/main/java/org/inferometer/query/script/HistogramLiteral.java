package org.inferometer.query.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.jspecify.annotations.Nullable;

/**
 * A native histogram as scripts write it: {@code {{schema:1 sum:3 count:22 buckets:[5 10 7]}}}.
 * Nothing is derived: the count isn't that of the buckets unless written so.
 *
 * @param schema -4 to 8 for exponential buckets, {@value #CUSTOM_BUCKETS} for custom ones
 * @param zeroBucket observations in the zero bucket
 * @param zeroThreshold half the width of the zero bucket
 * @param offset index of the first positive bucket
 * @param buckets observations in the positive buckets, each by itself
 * @param negativeOffset index of the first negative bucket
 * @param customValues upper bounds of custom buckets, ascending, without +Inf
 * @param counterResetHint null if not written
 */
record HistogramLiteral(
    int schema,
    double sum,
    double count,
    double zeroBucket,
    double zeroThreshold,
    int offset,
    List<Double> buckets,
    int negativeOffset,
    List<Double> negativeBuckets,
    List<Double> customValues,
    @Nullable ResetHint counterResetHint) {
  static final int CUSTOM_BUCKETS = NativeHistogram.CUSTOM_SCHEMA;

  private static final Pattern PAIR = Pattern.compile("([a-z_]+):(\\[[^\\]]*]|[^\\s\\[\\]]+)");

  private static final List<String> KEYS =
      List.of(
          "schema",
          "sum",
          "count",
          "z_bucket",
          "z_bucket_w",
          "offset",
          "buckets",
          "n_offset",
          "n_buckets",
          "custom_values",
          "counter_reset_hint");

  HistogramLiteral {
    buckets = List.copyOf(buckets);
    negativeBuckets = List.copyOf(negativeBuckets);
    customValues = List.copyOf(customValues);
  }

  /**
   * @param text what stands between the double braces
   * @throws ScriptException that names the key that is wrong
   */
  static HistogramLiteral parse(String text) throws ScriptException {
    Map<String, String> values = pairs(text);
    HistogramLiteral literal =
        new HistogramLiteral(
            integer(values, "schema"),
            number(values, "sum"),
            number(values, "count"),
            number(values, "z_bucket"),
            number(values, "z_bucket_w"),
            integer(values, "offset"),
            numbers(values, "buckets"),
            integer(values, "n_offset"),
            numbers(values, "n_buckets"),
            numbers(values, "custom_values"),
            hint(values.get("counter_reset_hint")));
    literal.check();
    return literal;
  }

  private static Map<String, String> pairs(String text) throws ScriptException {
    Map<String, String> values = new LinkedHashMap<>();
    Matcher pair = PAIR.matcher(text);
    int end = 0;
    while (pair.find()) {
      boolean apart = end == 0 || pair.start() > end;
      if (!apart || !text.substring(end, pair.start()).isBlank()) {
        break;
      }
      if (!KEYS.contains(pair.group(1))) {
        throw new ScriptException("unknown key of a histogram: " + pair.group(1));
      }
      if (values.put(pair.group(1), pair.group(2)) != null) {
        throw new ScriptException("key of a histogram is there twice: " + pair.group(1));
      }
      end = pair.end();
    }
    if (!text.substring(end).isBlank()) {
      throw new ScriptException(
          "expected a histogram's key:value, got \"" + text.substring(end).strip() + "\"");
    }
    return values;
  }

  private void check() throws ScriptException {
    boolean custom = schema == CUSTOM_BUCKETS;
    if (!custom && (schema < NativeHistogram.SCHEMA_MIN || schema > NativeHistogram.SCHEMA_MAX)) {
      throw new ScriptException("schema must be -4 to 8, or -53, got " + schema);
    }
    if (!(zeroThreshold >= 0)) {
      throw new ScriptException("z_bucket_w must not be negative, got " + zeroThreshold);
    }
    for (int i = 1; i < customValues.size(); i++) {
      if (!(customValues.get(i - 1) < customValues.get(i))) {
        throw new ScriptException("custom_values must ascend, got " + customValues);
      }
    }
  }

  /**
   * The histogram that this stands for.
   *
   * @throws ScriptException if there is no such histogram
   */
  NativeHistogram histogram() throws ScriptException {
    try {
      return made();
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ScriptException("not a histogram: " + e.getMessage(), e);
    }
  }

  private NativeHistogram made() {
    return new NativeHistogram(
        schema,
        count,
        sum,
        zeroThreshold,
        zeroBucket,
        buckets(offset, buckets),
        buckets(negativeOffset, negativeBuckets),
        customValues.stream().mapToDouble(Double::doubleValue).toArray(),
        counterResetHint == null ? ResetHint.UNKNOWN : counterResetHint);
  }

  private static Buckets buckets(int offset, List<Double> counts) {
    return Buckets.from(offset, counts.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static double number(Map<String, String> values, String key) throws ScriptException {
    String text = values.get(key);
    return text == null ? 0 : number(key, text);
  }

  private static double number(String key, String text) throws ScriptException {
    try {
      return SeriesLine.number(text);
    } catch (NumberFormatException e) {
      throw new ScriptException(key + " must be a number, got \"" + text + "\"", e);
    }
  }

  private static int integer(Map<String, String> values, String key) throws ScriptException {
    String text = values.getOrDefault(key, "0");
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new ScriptException(key + " must be an integer, got \"" + text + "\"", e);
    }
  }

  private static List<Double> numbers(Map<String, String> values, String key)
      throws ScriptException {
    String text = values.getOrDefault(key, "[]");
    if (!text.startsWith("[")) {
      throw new ScriptException(key + " must be a list in brackets, got \"" + text + "\"");
    }
    List<Double> numbers = new ArrayList<>();
    String inner = text.substring(1, text.length() - 1).strip();
    for (String item : inner.isEmpty() ? new String[0] : inner.split("\\s+")) {
      numbers.add(number(key, item));
    }
    return numbers;
  }

  private static @Nullable ResetHint hint(@Nullable String text) throws ScriptException {
    return switch (text) {
      case null -> null;
      case "unknown" -> ResetHint.UNKNOWN;
      case "reset" -> ResetHint.RESET;
      case "not_reset" -> ResetHint.NOT_RESET;
      case "gauge" -> ResetHint.GAUGE;
      default ->
          throw new ScriptException(
              "counter_reset_hint must be unknown, reset, not_reset or gauge, got " + text);
    };
  }
}
