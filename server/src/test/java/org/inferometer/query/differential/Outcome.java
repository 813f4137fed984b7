package org.inferometer.query.differential;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryValue;
import org.inferometer.query.QueryValue.Element;
import org.inferometer.query.QueryValue.MatrixSeries;
import org.jspecify.annotations.Nullable;

/** What an evaluator says to a question. */
public sealed interface Outcome {
  /** Relative difference up to which two values are the same. */
  double TOLERANCE = 1e-9;

  /** Points by label set and time; a number has the empty label set. */
  record Answered(Map<Labels, SortedMap<Long, Double>> points) implements Outcome {}

  record Failed(String message) implements Outcome {}

  static Outcome of(QueryValue value) {
    Map<Labels, SortedMap<Long, Double>> points = new TreeMap<>();
    switch (value) {
      case QueryValue.Scalar scalar ->
          put(points, Labels.EMPTY, scalar.timestampMs(), scalar.value());
      case QueryValue.Vector vector -> {
        for (Element element : vector.elements()) {
          put(points, element.labels(), element.timestampMs(), element.value());
        }
      }
      case QueryValue.Matrix matrix -> {
        for (MatrixSeries series : matrix.series()) {
          for (int i = 0; i < series.values().length; i++) {
            put(points, series.labels(), series.timestampsMs()[i], series.values()[i]);
          }
        }
      }
      case QueryValue.Text text -> throw new IllegalArgumentException("unexpected " + text);
    }
    return new Answered(points);
  }

  private static void put(
      Map<Labels, SortedMap<Long, Double>> points, Labels labels, long timeMs, double value) {
    if (points.computeIfAbsent(labels, l -> new TreeMap<>()).put(timeMs, value) != null) {
      throw new AssertionError("two points of " + labels + " at " + timeMs);
    }
  }

  /** In words, or null if both say the same. That both fail is the same. */
  static @Nullable String difference(Outcome expected, Outcome actual, double tolerance) {
    if (expected instanceof Failed && actual instanceof Failed) {
      return null;
    }
    if (expected instanceof Answered e && actual instanceof Answered a) {
      return difference(e.points(), a.points(), tolerance);
    }
    return "expected " + shown(expected) + ", got " + shown(actual);
  }

  private static String shown(Outcome outcome) {
    return switch (outcome) {
      case Failed failed -> "error \"" + failed.message() + "\"";
      case Answered answered -> {
        String text = answered.points().toString();
        yield text.length() > 300 ? text.substring(0, 300) + "..." : text;
      }
    };
  }

  private static @Nullable String difference(
      Map<Labels, SortedMap<Long, Double>> expected,
      Map<Labels, SortedMap<Long, Double>> actual,
      double tolerance) {
    for (Labels labels : List.copyOf(actual.keySet())) {
      if (!expected.containsKey(labels)) {
        return "unexpected series " + labels + ": " + actual.get(labels);
      }
    }
    for (Map.Entry<Labels, SortedMap<Long, Double>> series : expected.entrySet()) {
      SortedMap<Long, Double> others = actual.get(series.getKey());
      if (others == null) {
        return "missing series " + series.getKey() + ": " + series.getValue();
      }
      if (!others.keySet().equals(series.getValue().keySet())) {
        return "points of %s: expected %s, got %s"
            .formatted(series.getKey(), series.getValue(), others);
      }
      for (Map.Entry<Long, Double> point : series.getValue().entrySet()) {
        double other = others.getOrDefault(point.getKey(), Double.NaN);
        if (!same(point.getValue(), other, tolerance)) {
          return "%s at %d ms: expected %s, got %s"
              .formatted(series.getKey(), point.getKey(), point.getValue(), other);
        }
      }
    }
    return null;
  }

  static boolean same(double a, double b, double tolerance) {
    return Double.compare(a, b) == 0
        || a == b
        || Math.abs(a - b) <= tolerance * Math.min(Math.abs(a), Math.abs(b));
  }
}
