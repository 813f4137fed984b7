package org.inferometer.query;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.stream.DoubleStream;

/** Quantiles of plain values. */
final class Quantiles {
  private Quantiles() {}

  /** The quantile of the first {@code n} values, which are sorted in place, NaN as the smallest. */
  static double of(double q, double[] values, int n) {
    if (n == 0 || Double.isNaN(q)) {
      return Double.NaN;
    }
    if (q < 0) {
      return Double.NEGATIVE_INFINITY;
    }
    if (q > 1) {
      return Double.POSITIVE_INFINITY;
    }
    sort(values, n);
    double rank = q * (n - 1);
    int lower = Math.max(0, (int) Math.floor(rank));
    int upper = Math.min(n - 1, lower + 1);
    double weight = rank - Math.floor(rank);
    return values[lower] * (1 - weight) + values[upper] * weight;
  }

  /** Java sorts NaN last; here it comes first. */
  private static void sort(double[] values, int n) {
    Arrays.sort(values, 0, n);
    int numbers = n;
    while (numbers > 0 && Double.isNaN(values[numbers - 1])) {
      numbers--;
    }
    if (numbers < n) {
      System.arraycopy(values, 0, values, n - numbers, numbers);
      Arrays.fill(values, 0, n - numbers, Double.NaN);
    }
  }

  /** Of quantiles that change over time those to warn of: NaN, the smallest, and the largest. */
  static DoubleStream worst(double[] quantiles) {
    DoubleSummaryStatistics numbers =
        DoubleStream.of(quantiles).filter(q -> !Double.isNaN(q)).summaryStatistics();
    boolean isAnyNaN = numbers.getCount() < quantiles.length;
    return DoubleStream.concat(
        isAnyNaN ? DoubleStream.of(Double.NaN) : DoubleStream.empty(),
        DoubleStream.of(numbers.getMin(), numbers.getMax())
            .filter(q -> numbers.getCount() > 0 && isInvalid(q)));
  }

  /** Whether a quantile needs a warning. */
  static boolean isInvalid(double q) {
    return Double.isNaN(q) || q < 0 || q > 1;
  }
}
