package org.inferometer.query;

import static org.inferometer.query.RangeFunction.perWindow;

import org.inferometer.model.KahanSum;

/** Functions that fit a line or a smoothed trend to the samples of a window. */
final class Regression {
  private Regression() {}

  /** A line {@code intercept + slope * x}, x in seconds. */
  private record Line(double slope, double intercept) {}

  static RangeFunction deriv() {
    return perWindow(
        2, (in, step, from, to) -> leastSquares(in, from, to, in.timesMs()[from]).slope());
  }

  /**
   * @param seconds how far ahead of the evaluation time, at each step
   */
  static RangeFunction predictLinear(double[] seconds) {
    return perWindow(
        2,
        (in, step, from, to) -> {
          Line line = leastSquares(in, from, to, in.windows().evaluationMs(step));
          return line.slope() * seconds[step] + line.intercept();
        });
  }

  private static Line leastSquares(WindowedSeries in, int from, int to, long originMs) {
    double[] values = in.values();
    if (isConstant(values, from, to)) {
      return Double.isInfinite(values[from])
          ? new Line(Double.NaN, Double.NaN)
          : new Line(0, values[from]);
    }
    KahanSum sumX = new KahanSum();
    KahanSum sumY = new KahanSum();
    KahanSum sumXy = new KahanSum();
    KahanSum sumXx = new KahanSum();
    for (int k = from; k < to; k++) {
      double x = (in.timesMs()[k] - originMs) / 1000.0;
      sumX.add(x);
      sumY.add(values[k]);
      sumXy.add(x * values[k]);
      sumXx.add(x * x);
    }
    int n = to - from;
    double covariance = sumXy.value() - sumX.value() * sumY.value() / n;
    double variance = sumXx.value() - sumX.value() * sumX.value() / n;
    double slope = covariance / variance;
    return new Line(slope, sumY.value() / n - slope * sumX.value() / n);
  }

  private static boolean isConstant(double[] values, int from, int to) {
    for (int k = from + 1; k < to; k++) {
      if (values[k] != values[from]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Holt's linear trend.
   *
   * @param smoothing weight of the newest sample, 0 < s < 1, at each step
   * @param trend weight of the newest slope, 0 < t < 1, at each step
   */
  static RangeFunction doubleExponentialSmoothing(
      double[] smoothing, double[] trend, RangeNotes notes) {
    RangeFunction smoothed =
        RangeFunction.ofFloats(
            perWindow(
                2,
                (in, step, from, to) ->
                    smoothed(in.values(), from, to, smoothing[step], trend[step])),
            notes);
    return (in, out) -> {
      requireWeights(in, smoothing, trend);
      smoothed.fill(in, out);
    };
  }

  /** Wrong ones are an error wherever there is a sample, even if it isn't one to smooth. */
  private static void requireWeights(WindowedSeries in, double[] smoothing, double[] trend) {
    for (int i = 0; i < in.steps(); i++) {
      if (in.from(i) < in.to(i)) {
        requireWeight(smoothing[i], "smoothing", "sf");
        requireWeight(trend[i], "trend", "tf");
      }
    }
  }

  private static double smoothed(double[] values, int from, int to, double s, double t) {
    double before = 0;
    double level = values[from];
    double slope = values[from + 1] - values[from];
    for (int k = from + 1; k < to; k++) {
      if (k > from + 1) {
        slope = t * (level - before) + (1 - t) * slope;
      }
      before = level;
      level = s * values[k] + (1 - s) * (level + slope);
    }
    return level;
  }

  /** NaN is let through, as Prometheus does: it makes the result NaN. */
  private static void requireWeight(double weight, String name, String symbol) {
    if (weight <= 0 || weight >= 1) {
      throw Abort.execution(
          String.format(
              java.util.Locale.ROOT,
              "invalid %s factor. Expected: 0 < %s < 1, got: %f",
              name,
              symbol,
              weight));
    }
  }
}
