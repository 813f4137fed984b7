package org.inferometer.query.stepwise;

import java.util.List;

/**
 * The samples of one series in a range, in time order.
 *
 * @param afterMs left end, excluded
 * @param untilMs right end, included
 */
record Window(List<Point> points, long afterMs, long untilMs) {
  /** A sample. */
  record Point(long timeMs, double value) {
    double seconds() {
      return timeMs / 1000.0;
    }
  }

  double[] values() {
    return points.stream().mapToDouble(Point::value).toArray();
  }

  int size() {
    return points.size();
  }

  Point get(int index) {
    return points.get(index);
  }
}
