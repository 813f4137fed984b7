package org.inferometer.query.script;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryValue;
import org.jspecify.annotations.Nullable;

/** Holds an answer against an expectation; says in words what differs, or null. */
final class Comparison {
  /** Relative difference below which two values are equal. */
  private static final double TOLERANCE = 1e-6;

  private Comparison() {}

  static @Nullable String annotations(QueryResult result, Command.Expectation expected) {
    String warnings =
        annotations("warning", result.warnings(), expected.warnings(), expected.noWarnings());
    return warnings != null
        ? warnings
        : annotations("info", result.infos(), expected.infos(), expected.noInfos());
  }

  private static @Nullable String annotations(
      String level, List<String> actual, List<Command.Text> expected, boolean none) {
    if (none && !actual.isEmpty()) {
      return "expected no " + level + ", got " + actual;
    }
    if (expected.isEmpty()) {
      return null;
    }
    if (actual.isEmpty()) {
      return "expected a " + level + ", got none";
    }
    for (Command.Text text : expected) {
      if (actual.stream().noneMatch(text::matches)) {
        return "expected a " + level + " like \"" + text.text() + "\", got " + actual;
      }
    }
    for (String message : actual) {
      if (expected.stream().noneMatch(text -> text.matches(message))) {
        return "unexpected " + level + ": " + message;
      }
    }
    return null;
  }

  static @Nullable String instant(QueryValue value, Command.Expectation expected) {
    Double scalar = expected.scalar();
    if (scalar != null) {
      return value instanceof QueryValue.Scalar s && equal(s.value(), scalar)
          ? null
          : "expected scalar " + FloatFormat.general(scalar) + ", got " + describe(value);
    }
    String string = expected.string();
    if (string != null) {
      return value instanceof QueryValue.Text t && t.value().equals(string)
          ? null
          : "expected string \"" + string + "\", got " + describe(value);
    }
    Command.Times times = expected.rangeVector();
    if (times != null) {
      return matrix(value, expected.series(), times);
    }
    return value instanceof QueryValue.Vector vector
        ? vector(vector, expected)
        : "expected a vector, got " + describe(value);
  }

  private static @Nullable String vector(QueryValue.Vector vector, Command.Expectation expected) {
    List<QueryValue.Element> elements = vector.elements();
    Map<Labels, Integer> places = new HashMap<>();
    for (int i = 0; i < elements.size(); i++) {
      if (places.put(elements.get(i).labels(), i) != null) {
        return "two elements are " + elements.get(i).labels();
      }
    }
    for (int i = 0; i < expected.series().size(); i++) {
      SeriesLine line = expected.series().get(i);
      Integer place = places.remove(line.labels());
      if (place == null) {
        return "missing " + line.labels() + ", got " + describe(vector);
      }
      if (expected.ordered() && place != i) {
        return line.labels() + " expected at place " + i + ", is at " + place;
      }
      if (line.slots().size() != 1) {
        return "expected one value for " + line.labels() + " in the script";
      }
      QueryValue.Element element = elements.get(place);
      String difference = sample(line.slots().getFirst(), element.value(), element.histogram());
      if (difference != null) {
        return line.labels() + ": " + difference;
      }
    }
    return places.isEmpty() ? null : "unexpected " + places.keySet();
  }

  static @Nullable String matrix(QueryValue value, List<SeriesLine> expected, Command.Times times) {
    if (!(value instanceof QueryValue.Matrix matrix)) {
      return "expected a matrix, got " + describe(value);
    }
    Map<Labels, QueryValue.MatrixSeries> actual = new HashMap<>();
    for (QueryValue.MatrixSeries series : matrix.series()) {
      if (actual.put(series.labels(), series) != null) {
        return "two series are " + series.labels();
      }
    }
    for (SeriesLine line : expected) {
      QueryValue.MatrixSeries series = actual.remove(line.labels());
      if (series == null) {
        return "missing " + line.labels() + ", got " + describe(value);
      }
      String difference = points(line, series, times);
      if (difference != null) {
        return difference;
      }
    }
    return actual.isEmpty() ? null : "unexpected " + actual.keySet();
  }

  private static @Nullable String points(
      SeriesLine line, QueryValue.MatrixSeries series, Command.Times times) {
    int next = 0;
    for (int i = 0; i < line.slots().size(); i++) {
      long time = times.startMs() + i * times.stepMs();
      if (time > times.endMs()) {
        return "more values than steps for " + line.labels();
      }
      Slot slot = line.slots().get(i);
      if (slot instanceof Slot.Omitted) {
        continue;
      }
      if (next >= series.values().length || series.timestampsMs()[next] != time) {
        return line.labels() + " has no point at " + time + " ms: " + describe(series);
      }
      String difference = sample(slot, series.values()[next], series.histogram(next));
      if (difference != null) {
        return line.labels() + " at " + time + " ms: " + difference;
      }
      next++;
    }
    return next == series.values().length
        ? null
        : line.labels() + " has points that aren't expected: " + describe(series);
  }

  private static @Nullable String sample(
      Slot expected, double value, @Nullable NativeHistogram histogram) {
    return switch (expected) {
      case Slot.Omitted omitted -> "expected nothing, got " + describe(value, histogram);
      case Slot.Value v ->
          histogram == null && equal(value, v.value())
              ? null
              : "expected "
                  + FloatFormat.general(v.value())
                  + ", got "
                  + describe(value, histogram);
      case Slot.Histogram h ->
          histogram != null && HistogramComparison.equal(h, histogram)
              ? null
              : "expected "
                  + describe(h.value())
                  + (h.hintWritten() ? " " + h.value().resetHint() : "")
                  + ", got "
                  + describe(value, histogram);
    };
  }

  private static String describe(double value, @Nullable NativeHistogram histogram) {
    return histogram == null ? FloatFormat.general(value) : describe(histogram);
  }

  private static String describe(NativeHistogram h) {
    return h + " of schema " + h.schema() + ", hint " + h.resetHint();
  }

  /** Equal as the scripts mean it: relative, and a 0 only equals a 0. */
  static boolean equal(double a, double b) {
    if (StalenessMarker.is(a) || StalenessMarker.is(b)) {
      return StalenessMarker.is(a) && StalenessMarker.is(b);
    }
    if (a == b || (Double.isNaN(a) && Double.isNaN(b))) {
      return true;
    }
    double sum = Math.abs(a) + Math.abs(b);
    double difference = Math.abs(a - b);
    if (a == 0 || b == 0 || sum < Double.MIN_NORMAL) {
      return difference < TOLERANCE * Double.MIN_NORMAL;
    }
    return difference / Math.min(sum, Double.MAX_VALUE) < TOLERANCE;
  }

  private static String describe(QueryValue.MatrixSeries series) {
    List<String> points = new ArrayList<>();
    for (int i = 0; i < series.values().length; i++) {
      points.add(
          describe(series.values()[i], series.histogram(i)) + "@" + series.timestampsMs()[i]);
    }
    return points.toString();
  }

  private static String describe(QueryValue value) {
    return switch (value) {
      case QueryValue.Scalar scalar -> "scalar " + FloatFormat.general(scalar.value());
      case QueryValue.Text text -> "string \"" + text.value() + "\"";
      case QueryValue.Vector vector ->
          vector.elements().stream()
              .map(e -> e.labels() + " " + describe(e.value(), e.histogram()))
              .toList()
              .toString();
      case QueryValue.Matrix matrix ->
          matrix.series().stream().map(s -> s.labels() + " " + describe(s)).toList().toString();
    };
  }
}
