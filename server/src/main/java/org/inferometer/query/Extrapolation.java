package org.inferometer.query;

/**
 * What the change between the first and the last sample of a window is multiplied with, so that it
 * stands for the whole window: it is stretched to the window's edges, but at most by half a
 * sampling interval where the samples end well inside the window, and never to before the time at
 * which a counter would have been zero. All times are in milliseconds, which are exact.
 */
final class Extrapolation {
  /**
   * How much longer than the average distance between samples the distance to the window's edge may
   * be, before the series is taken to begin or end inside the window.
   */
  private static final double EDGE_TOLERANCE = 1.1;

  private Extrapolation() {}

  /** Of a gauge in a window with two samples or more. */
  static double ofGauge(WindowedSeries in, int step) {
    return stretch(in, step, in.timesMs()[in.from(step)], 0, false, 0, 0);
  }

  /**
   * Of a counter. One that began in the window is as good as a sample of zero then.
   *
   * @param firstValue of the first sample
   * @param change from the first sample, or that zero, to the last; resets undone
   */
  static double ofCounter(WindowedSeries in, int step, double firstValue, double change) {
    long beganMs = in.startInWindowMs(step);
    return beganMs == 0
        ? stretch(in, step, in.timesMs()[in.from(step)], 0, true, firstValue, change)
        : stretch(in, step, beganMs, 1, true, 0, change);
  }

  private static double stretch(
      WindowedSeries in,
      int step,
      long firstMs,
      int intervalsMore,
      boolean counter,
      double firstValue,
      double change) {
    Windows windows = in.windows();
    int last = in.to(step) - 1;
    double toStart = firstMs - windows.startMs(step);
    double toEnd = windows.endMs(step) - in.timesMs()[last];
    double sampled = in.timesMs()[last] - firstMs;
    int intervals = last - in.from(step) + intervalsMore;
    if (toStart * intervals >= sampled || toEnd * intervals >= sampled) {
      double interval = sampled / intervals;
      toStart = toStart >= interval * EDGE_TOLERANCE ? interval / 2 : toStart;
      toEnd = toEnd >= interval * EDGE_TOLERANCE ? interval / 2 : toEnd;
    }
    // Multiplied out here and above: most windows need none of this, and divisions take long.
    if (counter && change > 0 && firstValue >= 0 && sampled * firstValue < toStart * change) {
      toStart = sampled * (firstValue / change);
    }
    return (sampled + toStart + toEnd) / sampled;
  }
}
