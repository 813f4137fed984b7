package org.inferometer.query.script;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
      if (line.slots().size() != 1 || !(line.slots().getFirst() instanceof Slot.Value value)) {
        return "expects a native histogram for " + line.labels() + "";
      }
      double actual = elements.get(place).value();
      if (!equal(actual, value.value())) {
        return differs(line.labels(), value.value(), actual, "");
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
      switch (line.slots().get(i)) {
        case Slot.Omitted omitted -> {}
        case Slot.Histogram histogram -> {
          return "expects a native histogram for " + line.labels() + "";
        }
        case Slot.Value value -> {
          if (next >= series.values().length || series.timestampsMs()[next] != time) {
            return line.labels() + " has no point at " + time + " ms: " + describe(series);
          }
          if (!equal(series.values()[next], value.value())) {
            return differs(
                line.labels(), value.value(), series.values()[next], " at " + time + " ms");
          }
          next++;
        }
      }
    }
    return next == series.values().length
        ? null
        : line.labels() + " has points that aren't expected: " + describe(series);
  }

  private static String differs(Labels labels, double expected, double actual, String where) {
    return "expected "
        + FloatFormat.general(expected)
        + " for "
        + labels
        + where
        + ", got "
        + FloatFormat.general(actual);
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
      points.add(FloatFormat.general(series.values()[i]) + "@" + series.timestampsMs()[i]);
    }
    return points.toString();
  }

  private static String describe(QueryValue value) {
    return switch (value) {
      case QueryValue.Scalar scalar -> "scalar " + FloatFormat.general(scalar.value());
      case QueryValue.Text text -> "string \"" + text.value() + "\"";
      case QueryValue.Vector vector ->
          vector.elements().stream()
              .map(e -> e.labels() + " " + FloatFormat.general(e.value()))
              .toList()
              .toString();
      case QueryValue.Matrix matrix ->
          matrix.series().stream().map(s -> s.labels() + " " + describe(s)).toList().toString();
    };
  }
}
