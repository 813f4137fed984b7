package org.inferometer.histogram;

import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Random histograms whose numbers are whole, so that sums of them are exact in any order. */
final class RandomHistograms {
  private static final double[] THRESHOLDS = {0, 0x1p-128, 0.001, 0.25, 1, 3.7};

  private final Random random;

  RandomHistograms(long seed) {
    random = new Random(seed);
  }

  /** Exponential buckets of any schema, on both sides, with a zero bucket of any width. */
  NativeHistogram exponential() {
    int schema = random.nextInt(NativeHistogram.SCHEMA_MIN, NativeHistogram.SCHEMA_MAX + 1);
    return exponential(schema, THRESHOLDS[random.nextInt(THRESHOLDS.length)]);
  }

  NativeHistogram exponential(int schema, double zeroThreshold) {
    double zeroCount = random.nextInt(5);
    Buckets positive = outside(schema, zeroThreshold);
    Buckets negative = random.nextBoolean() ? Buckets.NONE : outside(schema, zeroThreshold);
    double count = zeroCount + total(positive) + total(negative);
    return NativeHistogram.exponential(
        schema, count, random.nextInt(1000), zeroThreshold, zeroCount, positive, negative);
  }

  private Buckets outside(int schema, double zeroThreshold) {
    // Around 1 whatever the schema, so that histograms overlap.
    int width = 8 << Math.max(0, schema);
    SortedMap<Integer, Double> counts = new TreeMap<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      int index = random.nextInt(-width, width);
      if (ExponentialBounds.upper(index - 1L, schema) >= zeroThreshold) {
        counts.put(index, (double) random.nextInt(4));
      }
    }
    return buckets(counts);
  }

  NativeHistogram custom(double... bounds) {
    SortedMap<Integer, Double> counts = new TreeMap<>();
    for (int i = 0; i <= bounds.length; i++) {
      if (random.nextBoolean()) {
        counts.put(i, (double) random.nextInt(6));
      }
    }
    Buckets buckets = buckets(counts);
    return NativeHistogram.custom(total(buckets), random.nextInt(1000), buckets, bounds);
  }

  private static Buckets buckets(SortedMap<Integer, Double> counts) {
    return Buckets.of(
        counts.keySet().stream().mapToInt(Integer::intValue).toArray(),
        counts.values().stream().mapToDouble(Double::doubleValue).toArray());
  }

  static double total(Buckets buckets) {
    double total = 0;
    for (int i = 0; i < buckets.size(); i++) {
      total += buckets.count(i);
    }
    return total;
  }

  /** What all buckets count. */
  static double total(NativeHistogram h) {
    return h.zeroCount() + total(h.positive()) + total(h.negative());
  }

  double between(double from, double to) {
    return random.nextDouble(from, to);
  }
}
