package org.inferometer.query.differential;

import java.util.List;
import java.util.SplittableRandom;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.model.Labels;
import org.inferometer.store.MemorySeries;

/**
 * Adds series of native histograms: counters that reset and change their schema, gauges, custom
 * bounds, and series that hold floats now and histograms then.
 */
final class RandomHistograms {
  private static final double[] BOUNDS = {0.5, 1, 2.5, 10};
  private static final double[] OTHER_BOUNDS = {0.5, 2.5, 20};

  private final SplittableRandom random;
  private final MemorySeries series;

  RandomHistograms(SplittableRandom random, MemorySeries series) {
    this.random = random;
    this.series = series;
  }

  void add() {
    for (String a : List.of("0", "1", "2")) {
      for (String b : List.of("x", "y")) {
        add(Labels.of(Labels.NAME, "n_total", "a", a, "b", b), false, false);
        add(Labels.of(Labels.NAME, "n", "a", a, "b", b), true, false);
        add(Labels.of(Labels.NAME, "m", "a", a, "b", b), false, true);
        addCustom(Labels.of(Labels.NAME, "u_total", "a", a, "b", b));
      }
    }
  }

  private void add(Labels labels, boolean gauge, boolean mixed) {
    long interval = 5_000L * (1 + random.nextInt(6));
    double[] counts = new double[6];
    int schema = random.nextInt(3);
    for (long time = random.nextInt(100) * 1000L; time < RandomSeries.LENGTH_MS; time += interval) {
      rise(counts, gauge);
      schema = random.nextInt(40) == 0 ? random.nextInt(3) : schema;
      if (mixed && random.nextInt(10) == 0) {
        series.add(labels, time, random.nextInt(10));
      } else {
        NativeHistogram histogram = exponential(schema, counts);
        series.add(labels, time, gauge ? histogram.withHint(ResetHint.GAUGE) : histogram);
      }
      time += random.nextInt(70) == 0 ? interval * 20 : 0;
    }
  }

  private void rise(double[] counts, boolean gauge) {
    boolean resets = random.nextInt(50) == 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = resets || gauge ? random.nextInt(6) : counts[i] + random.nextInt(3);
    }
  }

  private static NativeHistogram exponential(int schema, double[] counts) {
    double total = 0;
    for (double count : counts) {
      total += count;
    }
    return NativeHistogram.exponential(
        schema,
        total,
        total * 1.5,
        0.25,
        counts[0],
        Buckets.from(-1, counts[1], counts[2], counts[3]),
        Buckets.from(0, counts[4], counts[5]));
  }

  private void addCustom(Labels labels) {
    double[] counts = new double[4];
    double[] bounds = BOUNDS;
    for (long time = random.nextInt(100) * 1000L; time < RandomSeries.LENGTH_MS; time += 15_000) {
      rise(counts, false);
      bounds = random.nextInt(60) == 0 ? OTHER_BOUNDS : bounds;
      double total = counts[0] + counts[1] + counts[2] + counts[3];
      series.add(
          labels, time, NativeHistogram.custom(total, total * 2, Buckets.from(0, counts), bounds));
    }
  }
}
