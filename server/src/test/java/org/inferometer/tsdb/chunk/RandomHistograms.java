package org.inferometer.tsdb.chunk;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;

/** Histograms of one series as clients send them, and as they don't, from a seed. */
public final class RandomHistograms {
  private static final double[] THRESHOLDS = {0, 0x1p-128, 0x1p-243, 1024, 0x1p-244, 0.001, 2048};

  private static final double[] STEPS = {1, 1, 1, 2, 7, 40, 3_000, 200_000, 1e8, 1e12};

  private final Random random;
  private final boolean isGauge;
  private final boolean isFloat;
  private int schema;
  private double zeroThreshold;
  private double[] customBounds = {};
  private double zeroCount;
  private double sum;
  private final Map<Integer, Double> positive = new TreeMap<>();
  private final Map<Integer, Double> negative = new TreeMap<>();

  public RandomHistograms(Random random) {
    this.random = random;
    isGauge = random.nextInt(4) == 0;
    isFloat = random.nextInt(3) == 0;
    changeLayout();
  }

  private void changeLayout() {
    positive.clear();
    negative.clear();
    boolean isCustom = random.nextInt(4) == 0;
    schema = isCustom ? NativeHistogram.CUSTOM_SCHEMA : random.nextInt(-4, 9);
    zeroThreshold = isCustom ? 0 : THRESHOLDS[random.nextInt(THRESHOLDS.length)];
    customBounds = isCustom ? randomBounds() : new double[0];
    zeroCount = 0;
  }

  private double[] randomBounds() {
    return random
        .doubles(random.nextInt(1, 9))
        .map(x -> random.nextBoolean() ? x : Math.rint(x * 1e6) / 1e3)
        .map(x -> random.nextInt(9) == 0 ? -x : x)
        .distinct()
        .sorted()
        .toArray();
  }

  public NativeHistogram next() {
    int event = random.nextInt(60);
    if (event == 0) {
      changeLayout();
    } else if (event == 1) {
      positive.replaceAll((index, count) -> Math.floor(count / 2));
    } else if (event == 2) {
      positive.clear();
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      boolean isNegative = !hasBounds() && random.nextInt(5) == 0;
      (isNegative ? negative : positive).merge(randomIndex(), step(), Double::sum);
    }
    zeroCount += hasBounds() || random.nextInt(3) != 0 ? 0 : step();
    sum = random.nextInt(40) == 0 ? special() : sum + random.nextInt(100) / 4.0;
    return histogram();
  }

  private boolean hasBounds() {
    return customBounds.length > 0;
  }

  private int randomIndex() {
    if (hasBounds()) {
      return random.nextInt(customBounds.length + 1);
    }
    return random.nextInt(300) == 0 ? random.nextInt() : (int) (8 * random.nextGaussian());
  }

  private double step() {
    double step = STEPS[random.nextInt(STEPS.length)];
    double whole = isGauge && random.nextInt(3) == 0 ? 0 : step;
    return isFloat && random.nextInt(4) != 0 ? whole * random.nextDouble() : whole;
  }

  private double special() {
    return switch (random.nextInt(4)) {
      case 0 -> Double.NaN;
      case 1 -> Double.NEGATIVE_INFINITY;
      case 2 -> -0.0;
      default -> random.nextGaussian();
    };
  }

  private NativeHistogram histogram() {
    double count =
        zeroCount
            + positive.values().stream().mapToDouble(c -> c).sum()
            + negative.values().stream().mapToDouble(c -> c).sum();
    return new NativeHistogram(
        schema,
        count,
        sum,
        zeroThreshold,
        zeroCount,
        buckets(positive),
        buckets(negative),
        customBounds,
        isGauge ? ResetHint.GAUGE : hint());
  }

  private ResetHint hint() {
    return switch (random.nextInt(50)) {
      case 0 -> ResetHint.RESET;
      case 1 -> ResetHint.NOT_RESET;
      default -> ResetHint.UNKNOWN;
    };
  }

  private Buckets buckets(Map<Integer, Double> counts) {
    int[] indexes = counts.keySet().stream().mapToInt(i -> i).toArray();
    double[] values =
        Arrays.stream(indexes).mapToDouble(i -> counts.getOrDefault(i, 0.0)).toArray();
    Buckets all = Buckets.of(indexes, values);
    return random.nextInt(3) == 0 ? all.compact() : all;
  }
}
