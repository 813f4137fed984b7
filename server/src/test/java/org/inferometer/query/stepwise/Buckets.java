package org.inferometer.query.stepwise;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The buckets of one classic histogram: cumulative counts by upper bound. */
final class Buckets {
  private static final double INSIGNIFICANT = 1e-12;

  private final Map<Double, Double> countsByBound = new TreeMap<>();

  /** Equal bounds are added up. */
  void add(double bound, double count) {
    countsByBound.merge(bound == 0 ? 0.0 : bound, count, Double::sum);
  }

  double quantile(double q, Noise noise) {
    if (Double.isNaN(q)) {
      return Double.NaN;
    }
    if (q < 0) {
      return Double.NEGATIVE_INFINITY;
    }
    if (q > 1) {
      return Double.POSITIVE_INFINITY;
    }
    List<Double> bounds = new ArrayList<>(countsByBound.keySet());
    List<Double> counts = rising();
    int last = bounds.size() - 1;
    if (last < 1 || bounds.get(last) != Double.POSITIVE_INFINITY) {
      return Double.NaN;
    }
    double total = counts.get(last);
    if (total == 0) {
      return Double.NaN;
    }
    if (counts.stream().anyMatch(c -> !Double.isFinite(c))) {
      noise.byChance();
      return Double.NaN;
    }
    return noise.near(interpolated(noise.near(q * total), bounds, counts));
  }

  private static double interpolated(double rank, List<Double> bounds, List<Double> counts) {
    int last = bounds.size() - 1;
    int b = 0;
    while (b < last && counts.get(b) < rank) {
      b++;
    }
    if (b == last) {
      return bounds.get(last - 1);
    }
    if (b == 0 && bounds.get(0) <= 0) {
      return bounds.get(0);
    }
    double lower = b == 0 ? 0 : bounds.get(b - 1);
    double below = b == 0 ? 0 : counts.get(b - 1);
    return lower + (bounds.get(b) - lower) * ((rank - below) / (counts.get(b) - below));
  }

  /** No count is lower than one before it. */
  private List<Double> rising() {
    List<Double> counts = new ArrayList<>();
    for (double count : countsByBound.values()) {
      double before = counts.isEmpty() ? count : counts.getLast();
      boolean same =
          Math.abs(count - before) / (Math.abs(count) + Math.abs(before)) < INSIGNIFICANT;
      counts.add(same || count < before ? before : count);
    }
    return counts;
  }
}
