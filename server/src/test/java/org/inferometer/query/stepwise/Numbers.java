package org.inferometer.query.stepwise;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;

/** Sums and statistics, as exact as can be. */
final class Numbers {
  private Numbers() {}

  private static boolean allFinite(double[] values) {
    return Arrays.stream(values).allMatch(Double::isFinite);
  }

  private static BigDecimal exactSum(double[] values) {
    return Arrays.stream(values).mapToObj(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static double size(double[] values) {
    return Arrays.stream(values).map(Math::abs).max().orElse(0);
  }

  /** Nothing is lost if all are whole and not too large, so no order of adding matters. */
  private static boolean anyOrderIsExact(double[] values) {
    return Arrays.stream(values).allMatch(v -> v == Math.rint(v) && Math.abs(v) < 1e13);
  }

  static double sum(double[] values, Noise noise) {
    if (!allFinite(values)) {
      return Arrays.stream(values).sum();
    }
    double sum = exactSum(values).doubleValue();
    return anyOrderIsExact(values) ? sum : noise.near(sum, Math.max(Math.abs(sum), size(values)));
  }

  static double mean(double[] values, Noise noise) {
    if (!allFinite(values)) {
      return Arrays.stream(values).sum();
    }
    double mean =
        exactSum(values)
            .divide(BigDecimal.valueOf(values.length), MathContext.DECIMAL128)
            .doubleValue();
    return allEqual(values) ? mean : noise.near(mean, size(values));
  }

  private static boolean allEqual(double[] values) {
    return Arrays.stream(values).allMatch(v -> v == values[0]);
  }

  /** Of the whole population. */
  static double variance(double[] values, Noise noise) {
    if (!allFinite(values)) {
      return Double.NaN;
    }
    if (allEqual(values)) {
      return 0;
    }
    double mean = mean(values, Noise.none());
    double[] squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).toArray();
    double size = size(values);
    return Math.max(0, noise.near(mean(squares, Noise.none()), size * size));
  }

  /** NaN only if there is nothing else. */
  static double least(double[] values) {
    return Arrays.stream(values).filter(v -> !Double.isNaN(v)).min().orElse(Double.NaN);
  }

  /** NaN only if there is nothing else. */
  static double greatest(double[] values) {
    return Arrays.stream(values).filter(v -> !Double.isNaN(v)).max().orElse(Double.NaN);
  }

  /** Between the two nearest ranks; NaN is the smallest value. */
  static double quantile(double q, double[] values, Noise noise) {
    if (values.length == 0 || Double.isNaN(q)) {
      return Double.NaN;
    }
    if (q < 0) {
      return Double.NEGATIVE_INFINITY;
    }
    if (q > 1) {
      return Double.POSITIVE_INFINITY;
    }
    double[] sorted = sorted(values);
    double rank = q * (sorted.length - 1);
    int low = (int) Math.floor(rank);
    int high = Math.min(sorted.length - 1, low + 1);
    double weight = rank - low;
    double between = sorted[low] * (1 - weight) + sorted[high] * weight;
    return sorted[low] == sorted[high] && weight == 0
        ? between
        : noise.near(between, Math.max(Math.abs(sorted[low]), Math.abs(sorted[high])));
  }

  private static double[] sorted(double[] values) {
    double[] numbers = Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
    double[] sorted = new double[values.length];
    int missing = values.length - numbers.length;
    Arrays.fill(sorted, 0, missing, Double.NaN);
    System.arraycopy(numbers, 0, sorted, missing, numbers.length);
    return sorted;
  }

  /** Shortest decimal digits without an exponent. */
  static String plain(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }
}
