package org.inferometer.query.stepwise;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.inferometer.query.stepwise.Window.Point;
import org.jspecify.annotations.Nullable;

/** Functions of the samples of one series in a range. */
final class WindowFunctions {
  static final Set<String> KEEP_NAME = Set.of("last_over_time", "first_over_time");

  private final Noise noise;

  WindowFunctions(Noise noise) {
    this.noise = noise;
  }

  /**
   * @param parameters the scalar arguments in the order given
   * @param evaluationMs time of the evaluation, whatever the shift of the range
   * @return null if there is no result
   */
  @Nullable Double apply(String name, Window w, double[] parameters, long evaluationMs) {
    double[] values = w.values();
    return switch (name) {
      case "sum_over_time" -> Numbers.sum(values, noise);
      case "avg_over_time" -> Numbers.mean(values, noise);
      case "count_over_time" -> (double) values.length;
      case "min_over_time" -> Numbers.least(values);
      case "max_over_time" -> Numbers.greatest(values);
      case "stddev_over_time" -> Math.sqrt(Numbers.variance(values, noise));
      case "stdvar_over_time" -> Numbers.variance(values, noise);
      case "last_over_time" -> values[values.length - 1];
      case "first_over_time" -> values[0];
      case "present_over_time" -> 1.0;
      case "quantile_over_time" -> Numbers.quantile(parameters[0], values, noise);
      case "mad_over_time" -> medianDeviation(values);
      case "ts_of_first_over_time" -> w.get(0).seconds();
      case "ts_of_last_over_time" -> w.get(w.size() - 1).seconds();
      case "ts_of_min_over_time" -> lastTimeOf(Numbers.least(values), w);
      case "ts_of_max_over_time" -> lastTimeOf(Numbers.greatest(values), w);
      case "changes" -> changes(values);
      case "resets" -> resets(values);
      case "rate", "increase", "delta" -> extrapolated(name, w);
      case "irate", "idelta" -> lastTwo(name, w);
      case "deriv" -> line(w, w.get(0).timeMs(), 0, true);
      case "predict_linear" -> line(w, evaluationMs, parameters[0], false);
      case "double_exponential_smoothing" -> smoothed(values, parameters[0], parameters[1]);
      default -> throw new IllegalArgumentException("expected a range function, got " + name);
    };
  }

  private double medianDeviation(double[] values) {
    if (Arrays.stream(values).anyMatch(Double::isNaN)) {
      return Double.NaN;
    }
    double median = Numbers.quantile(0.5, values, noise);
    double[] deviations = Arrays.stream(values).map(v -> Math.abs(v - median)).toArray();
    return Numbers.quantile(0.5, deviations, noise);
  }

  private static double lastTimeOf(double value, Window w) {
    return w.points().stream()
        .filter(p -> p.value() == value || (Double.isNaN(value) && Double.isNaN(p.value())))
        .reduce((first, second) -> second)
        .orElseThrow()
        .seconds();
  }

  private static double changes(double[] values) {
    int changes = 0;
    for (int i = 1; i < values.length; i++) {
      boolean bothNan = Double.isNaN(values[i]) && Double.isNaN(values[i - 1]);
      if (values[i] != values[i - 1] && !bothNan) {
        changes++;
      }
    }
    return changes;
  }

  private static double resets(double[] values) {
    int resets = 0;
    for (int i = 1; i < values.length; i++) {
      if (values[i] < values[i - 1]) {
        resets++;
      }
    }
    return resets;
  }

  /** The change between first and last sample, extended to the ends of the range. */
  private @Nullable Double extrapolated(String name, Window w) {
    if (w.size() < 2) {
      return null;
    }
    boolean counter = !name.equals("delta");
    Point first = w.get(0);
    Point last = w.get(w.size() - 1);
    double change = last.value() - first.value();
    for (int i = 1; counter && i < w.size(); i++) {
      if (w.get(i).value() < w.get(i - 1).value()) {
        change += w.get(i - 1).value();
      }
    }
    double sampled = (last.timeMs() - first.timeMs()) / 1000.0;
    double between = sampled / (w.size() - 1);
    double toStart = (first.timeMs() - w.afterMs()) / 1000.0;
    double toEnd = (w.untilMs() - last.timeMs()) / 1000.0;
    if (toStart >= between * 1.1) {
      toStart = between / 2;
    }
    if (counter && change > 0 && first.value() >= 0) {
      toStart = Math.min(toStart, sampled * (first.value() / change));
    }
    if (toEnd >= between * 1.1) {
      toEnd = between / 2;
    }
    double extended = change * ((sampled + toStart + toEnd) / sampled);
    double range = (w.untilMs() - w.afterMs()) / 1000.0;
    double size = w.points().stream().mapToDouble(p -> Math.abs(p.value())).max().orElse(0);
    double result = name.equals("rate") ? extended / range : extended;
    return change == 0
        ? result
        : noise.near(result, Math.max(Math.abs(result), size * 1e-3 * Math.abs(result / change)));
  }

  private @Nullable Double lastTwo(String name, Window w) {
    if (w.size() < 2) {
      return null;
    }
    Point last = w.get(w.size() - 1);
    Point before = w.get(w.size() - 2);
    double change = last.value() - before.value();
    if (name.equals("idelta")) {
      return change;
    }
    double risen = last.value() < before.value() ? last.value() : change;
    return noise.near(risen / ((last.timeMs() - before.timeMs()) / 1000.0));
  }

  /** Least squares: the slope per second, or the value some seconds after an origin. */
  private @Nullable Double line(Window w, long originMs, double atSeconds, boolean slopeOnly) {
    if (w.size() < 2) {
      return null;
    }
    double[] y = w.values();
    if (Arrays.stream(y).allMatch(v -> v == y[0])) {
      return Double.isInfinite(y[0])
          ? Double.NaN
          : Double.valueOf(slopeOnly ? 0 : 0 * atSeconds + y[0]);
    }
    double[] x = w.points().stream().mapToDouble(p -> (p.timeMs() - originMs) / 1000.0).toArray();
    double meanX = Numbers.mean(x, Noise.none());
    double meanY = Numbers.mean(y, Noise.none());
    double covariance = 0;
    double variance = 0;
    for (int i = 0; i < x.length; i++) {
      covariance += (x[i] - meanX) * (y[i] - meanY);
      variance += (x[i] - meanX) * (x[i] - meanX);
    }
    double size = Arrays.stream(y).map(Math::abs).max().orElse(0);
    double span = x[x.length - 1] - x[0];
    // Sums of squares lose digits if the origin is far from the samples.
    double reach = 1 + Math.pow(Math.abs(meanX) / span, 2);
    double slope = noise.near(covariance / variance, size / span * reach);
    if (slopeOnly) {
      return slope;
    }
    double distance = Math.abs(meanX) + Math.abs(atSeconds);
    return noise.near(meanY + slope * (atSeconds - meanX), size * (1 + distance / span) * reach);
  }

  private @Nullable Double smoothed(double[] values, double smoothing, double trend) {
    requireFactor(smoothing, "smoothing");
    requireFactor(trend, "trend");
    if (values.length < 2) {
      return null;
    }
    double before = 0;
    double level = values[0];
    double slope = values[1] - values[0];
    for (int i = 1; i < values.length; i++) {
      if (i > 1) {
        slope = trend * (level - before) + (1 - trend) * slope;
      }
      before = level;
      level = smoothing * values[i] + (1 - smoothing) * (level + slope);
    }
    return noise.near(level, Arrays.stream(values).map(Math::abs).max().orElse(0));
  }

  private static void requireFactor(double factor, String name) {
    if (factor <= 0 || factor >= 1) {
      throw new EvaluationError("invalid " + name + " factor");
    }
  }

  /** Names of those that take a range and give at most one value for each series. */
  static final List<String> NAMES =
      List.of(
          "sum_over_time",
          "avg_over_time",
          "count_over_time",
          "min_over_time",
          "max_over_time",
          "stddev_over_time",
          "stdvar_over_time",
          "last_over_time",
          "first_over_time",
          "present_over_time",
          "quantile_over_time",
          "mad_over_time",
          "ts_of_first_over_time",
          "ts_of_last_over_time",
          "ts_of_min_over_time",
          "ts_of_max_over_time",
          "changes",
          "resets",
          "rate",
          "increase",
          "delta",
          "irate",
          "idelta",
          "deriv",
          "predict_linear",
          "double_exponential_smoothing");
}
