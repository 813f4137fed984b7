package org.inferometer.query;

import static org.inferometer.query.RangeFunction.perWindow;

/** Functions of how a value changes over a window: rate, increase, delta and their kin. */
final class RateFunctions {
  /**
   * How much longer than the average distance between samples the distance to the window's edge may
   * be, before the series is taken to begin or end inside the window.
   */
  private static final double EDGE_TOLERANCE = 1.1;

  private RateFunctions() {}

  static RangeFunction rate() {
    return (in, out) -> extrapolated(in, out, true, true);
  }

  static RangeFunction increase() {
    return (in, out) -> extrapolated(in, out, true, false);
  }

  static RangeFunction delta() {
    return (in, out) -> extrapolated(in, out, false, false);
  }

  private static void extrapolated(WindowedSeries in, Row out, boolean counter, boolean perSecond) {
    double[] values = in.values();
    int[] resets = counter ? in.resets() : new int[0];
    double per = perSecond ? in.windows().rangeMs() / 1000.0 : 1;
    for (int i = 0; i < in.steps(); i++) {
      int first = in.from(i);
      int last = in.to(i) - 1;
      if (last <= first) {
        continue;
      }
      double change = values[last] - values[first];
      if (counter && resets[last] != resets[first]) {
        change = withResets(values, first, last, change);
      }
      out.set(i, change * stretch(in, i, first, last, counter, change) / per);
    }
  }

  /** Adds the value before each reset, in the order of the samples. */
  private static double withResets(double[] values, int first, int last, double change) {
    double total = change;
    for (int k = first + 1; k <= last; k++) {
      if (values[k] < values[k - 1]) {
        total += values[k - 1];
      }
    }
    return total;
  }

  /**
   * What the change between the first and the last sample is multiplied with, so that it stands for
   * the whole window: it is stretched to the window's edges, but at most by half a sampling
   * interval where the samples end well inside the window, and never to before the time at which a
   * counter would have been zero. All times are in milliseconds, which are exact.
   */
  private static double stretch(
      WindowedSeries in, int step, int first, int last, boolean counter, double change) {
    long[] times = in.timesMs();
    Windows windows = in.windows();
    double toStart = times[first] - windows.startMs(step);
    double toEnd = windows.endMs(step) - times[last];
    double sampled = times[last] - times[first];
    int intervals = last - first;
    if (toStart * intervals >= sampled || toEnd * intervals >= sampled) {
      double interval = sampled / intervals;
      toStart = toStart >= interval * EDGE_TOLERANCE ? interval / 2 : toStart;
      toEnd = toEnd >= interval * EDGE_TOLERANCE ? interval / 2 : toEnd;
    }
    double firstValue = in.values()[first];
    // Multiplied out here and above: most windows need none of this, and divisions take long.
    if (counter && change > 0 && firstValue >= 0 && sampled * firstValue < toStart * change) {
      toStart = sampled * (firstValue / change);
    }
    return (sampled + toStart + toEnd) / sampled;
  }

  /** The rate between the last two samples. */
  static RangeFunction irate() {
    return (in, out) -> instantaneous(in, out, true);
  }

  /** The difference of the last two samples. */
  static RangeFunction idelta() {
    return (in, out) -> instantaneous(in, out, false);
  }

  private static void instantaneous(WindowedSeries in, Row out, boolean counter) {
    double[] values = in.values();
    long[] times = in.timesMs();
    for (int i = 0; i < in.steps(); i++) {
      int last = in.to(i) - 1;
      if (last <= in.from(i)) {
        continue;
      }
      double previous = values[last - 1];
      boolean reset = counter && values[last] < previous;
      double change = reset ? values[last] : values[last] - previous;
      double seconds = (times[last] - times[last - 1]) / 1000.0;
      out.set(i, counter ? change / seconds : change);
    }
  }

  static RangeFunction resets() {
    return perWindow(1, (in, step, from, to) -> in.resets()[to - 1] - in.resets()[from]);
  }

  static RangeFunction changes() {
    return perWindow(
        1,
        (in, step, from, to) -> {
          double[] values = in.values();
          int changes = 0;
          for (int k = from + 1; k < to; k++) {
            double before = values[k - 1];
            if (values[k] != before && !(Double.isNaN(values[k]) && Double.isNaN(before))) {
              changes++;
            }
          }
          return changes;
        });
  }
}
