package org.inferometer.query.script;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.jspecify.annotations.Nullable;

/**
 * A series with its values in the scripts' shorthand: {@code metric{a="b"} 1+2x3 _ stale}.
 *
 * @param startOffsetsMs for each slot how far from its time its sample says that it began to count,
 *     null for not known; empty if none is
 */
record SeriesLine(Labels labels, List<Slot> slots, List<@Nullable Long> startOffsetsMs) {
  private static final String NUMBER =
      "(?:(?:[0-9][0-9_]*\\.?[0-9_]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[nN][aA][nN]|[iI][nN][fF])";
  private static final Pattern ITEM =
      Pattern.compile("([+-]?" + NUMBER + ")(?:([+-])([+-]?" + NUMBER + "))?(?:x([0-9]+))?");
  private static final Pattern OMITTED = Pattern.compile("_(?:x([0-9]+))?");
  private static final Pattern HISTOGRAM =
      Pattern.compile("\\{\\{(.*?)}}(?:([+-])\\{\\{(.*?)}})?(?:x([0-9]+))?");

  SeriesLine(Labels labels, List<Slot> slots) {
    this(labels, slots, List.of());
  }

  /**
   * When a sample says that it began to count, in milliseconds since the epoch; 0 for not known.
   */
  long startMs(int slot, long timeMs) {
    Long offset = startOffsetsMs.isEmpty() ? null : startOffsetsMs.get(slot);
    return offset == null ? 0 : timeMs + offset;
  }

  /** More slots than any script needs. */
  private static final int SLOTS_MAX = 1_000_000;

  /**
   * @throws ScriptException if it isn't a series line
   */
  static SeriesLine parse(String line) throws ScriptException {
    int end = metricEnd(line);
    List<Slot> slots = new ArrayList<>();
    for (String item : items(line.substring(end))) {
      addItem(item, slots);
      if (slots.size() > SLOTS_MAX) {
        throw new ScriptException("more than " + SLOTS_MAX + " values in a line");
      }
    }
    try {
      return new SeriesLine(Parser.parseMetric(line.substring(0, end).strip()), slots);
    } catch (ParseException e) {
      throw new ScriptException("not a metric: " + e.getMessage(), e);
    }
  }

  /** Where the metric ends: after its closing brace, or at the first blank. */
  private static int metricEnd(String line) {
    char quote = 0;
    boolean braces = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == '\\' && quote != '`') {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (braces && (c == '"' || c == '\'' || c == '`')) {
        quote = c;
      } else if (c == '{') {
        braces = true;
      } else if (c == '}') {
        return i + 1;
      } else if (!braces && (c == ' ' || c == '\t') && !line.substring(i).strip().startsWith("{")) {
        return i;
      } else if (!braces && (c == ' ' || c == '\t') && line.substring(i).strip().startsWith("{{")) {
        return i;
      }
    }
    return line.length();
  }

  private static List<String> items(String text) {
    List<String> items = new ArrayList<>();
    StringBuilder item = new StringBuilder();
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if ((c == ' ' || c == '\t') && depth == 0) {
        if (!item.isEmpty()) {
          items.add(item.toString());
        }
        item.setLength(0);
      } else {
        item.append(c);
      }
    }
    if (!item.isEmpty()) {
      items.add(item.toString());
    }
    return items;
  }

  private static void addItem(String item, List<Slot> slots) throws ScriptException {
    Matcher omitted = OMITTED.matcher(item);
    if (omitted.matches()) {
      int times = omitted.group(1) == null ? 1 : count(omitted.group(1));
      for (int i = 0; i < times; i++) {
        slots.add(Slot.OMITTED);
      }
      return;
    }
    if (item.equals("stale")) {
      slots.add(new Slot.Value(StalenessMarker.VALUE));
      return;
    }
    Matcher histogram = HISTOGRAM.matcher(item);
    if (histogram.matches()) {
      addHistograms(histogram, slots);
      return;
    }
    Matcher value = ITEM.matcher(item);
    if (!value.matches()) {
      throw new ScriptException(
          "expected a value, \"_\", \"stale\" or \"{{...}}\", got \"" + item + "\"");
    }
    addNumbers(value, slots);
  }

  private static void addHistograms(Matcher item, List<Slot> slots) throws ScriptException {
    HistogramLiteral first = HistogramLiteral.parse(item.group(1));
    NativeHistogram value = first.histogram();
    boolean hintWritten = first.counterResetHint() != null;
    NativeHistogram step = item.group(3) == null ? null : step(item, value);
    int sign = "-".equals(item.group(2)) ? -1 : 1;
    int more = item.group(4) == null ? 0 : count(item.group(4));
    for (int i = 0; i <= more; i++) {
      slots.add(new Slot.Histogram(value, hintWritten));
      value = step == null ? value : (sign < 0 ? value.minus(step) : value.plus(step));
    }
  }

  private static NativeHistogram step(Matcher item, NativeHistogram first) throws ScriptException {
    NativeHistogram step = HistogramLiteral.parse(item.group(3)).histogram();
    if (first.schema() > step.schema()) {
      throw new ScriptException(
          "error combining histograms: cannot merge from schema "
              + step.schema()
              + " to "
              + first.schema());
    }
    if (item.group(4) == null) {
      throw new ScriptException("expected x and a count behind \"" + item.group() + "\"");
    }
    return step;
  }

  private static void addNumbers(Matcher item, List<Slot> slots) throws ScriptException {
    double value = number(item.group(1));
    double step = item.group(3) == null ? 0 : number(item.group(3));
    double signed = "-".equals(item.group(2)) ? -step : step;
    int more = item.group(4) == null ? 0 : count(item.group(4));
    for (int i = 0; i <= more; i++) {
      slots.add(new Slot.Value(value));
      value += signed;
    }
  }

  private static int count(String digits) throws ScriptException {
    if (digits.length() > 7 || Integer.parseInt(digits) > SLOTS_MAX) {
      throw new ScriptException("repeats more than " + SLOTS_MAX + " times: " + digits);
    }
    return Integer.parseInt(digits);
  }

  static double number(String text) {
    String sign = text.startsWith("-") ? "-" : "";
    String rest = text.replaceFirst("^[+-]", "");
    return switch (rest.toLowerCase(java.util.Locale.ROOT)) {
      case "nan" -> Double.NaN;
      case "inf" -> sign.isEmpty() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(sign + rest.replace("_", ""));
    };
  }
}
