package org.inferometer.query.differential;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryValue;
import org.inferometer.query.QueryValue.Element;
import org.inferometer.query.QueryValue.MatrixSeries;
import org.jspecify.annotations.Nullable;

/** Floats and histograms of a result at one time. */
final class Points {
  private final SortedMap<Labels, Point> byLabels = new TreeMap<>();

  private Points() {}

  private record Point(double value, @Nullable NativeHistogram histogram) {
    boolean isNear(Point other, double tolerance) {
      NativeHistogram mine = histogram;
      NativeHistogram others = other.histogram;
      if (mine == null || others == null) {
        return mine == null && others == null && Outcome.same(value, other.value, tolerance);
      }
      return mine.schema() == others.schema()
          && Outcome.same(mine.count(), others.count(), tolerance)
          && Outcome.same(mine.sum(), others.sum(), tolerance)
          && mine.positive().size() == others.positive().size()
          && mine.negative().size() == others.negative().size();
    }
  }

  static Points at(QueryValue value, long timeMs) {
    Points points = new Points();
    switch (value) {
      case QueryValue.Scalar s -> points.byLabels.put(Labels.EMPTY, new Point(s.value(), null));
      case QueryValue.Vector vector -> {
        for (Element e : vector.elements()) {
          points.byLabels.put(e.labels(), new Point(e.value(), e.histogram()));
        }
      }
      case QueryValue.Matrix matrix -> {
        for (MatrixSeries s : matrix.series()) {
          for (int i = 0; i < s.values().length; i++) {
            if (s.timestampsMs()[i] == timeMs) {
              points.byLabels.put(s.labels(), new Point(s.values()[i], s.histogram(i)));
            }
          }
        }
      }
      case QueryValue.Text text -> throw new IllegalArgumentException("unexpected " + text);
    }
    return points;
  }

  /** In words, or null. */
  @Nullable String difference(Points other, double tolerance) {
    if (!byLabels.keySet().equals(other.byLabels.keySet())) {
      return byLabels.keySet() + " against " + other.byLabels.keySet();
    }
    for (Map.Entry<Labels, Point> entry : byLabels.entrySet()) {
      Point theirs = other.byLabels.getOrDefault(entry.getKey(), new Point(0, null));
      if (!entry.getValue().isNear(theirs, tolerance)) {
        return entry.getKey() + ": " + entry.getValue() + " against " + theirs;
      }
    }
    return null;
  }
}
