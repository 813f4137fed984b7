package org.inferometer.query.differential;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;

/**
 * Makes the series that random queries select: counters that reset, gauges, values that aren't
 * finite, gaps, staleness markers, buckets, labels that some series lack.
 *
 * <p>Values are whole or halves and quarters, so that their sums are exact in any order.
 */
public final class RandomSeries {
  /** How long the series are. */
  public static final long LENGTH_MS = 2_400_000;

  private static final List<String> BOUNDS = List.of("-1", "0.5", "1", "2.5", "10", "+Inf");

  private final SplittableRandom random;
  private final long startMs;
  private final boolean prometheus2;
  private final Map<Labels, SortedMap<Long, Double>> data = new TreeMap<>();

  /**
   * @param prometheus2 whether no staleness markers come, no counter is near zero, and no sample
   *     has a time of whole seconds
   */
  public RandomSeries(SplittableRandom random, long startMs, boolean prometheus2) {
    this.random = random;
    this.startMs = startMs;
    this.prometheus2 = prometheus2;
  }

  public Map<Labels, SortedMap<Long, Double>> make() {
    for (int a = 0; a < 3; a++) {
      for (String b : List.of("x", "y", "")) {
        some(Labels.of(Labels.NAME, "c_total", "a", "" + a, "b", b), 4, this::counter);
        some(Labels.of(Labels.NAME, "d_total", "a", "" + a, "b", b), 3, this::counter);
        some(Labels.of(Labels.NAME, "g", "a", "" + a, "b", b), 4, this::gauge);
        some(Labels.of(Labels.NAME, "k", "a", "" + a, "b", b), 3, this::wild);
        some(Labels.of(Labels.NAME, "e", "a", "" + a, "b", b, "c", "p"), 2, this::gauge);
        some(Labels.of(Labels.NAME, "e", "a", "" + a, "b", b, "c", "q"), 2, this::gauge);
      }
      some(Labels.of(Labels.NAME, "i", "a", "" + a, "v", "v" + random.nextInt(2)), 5, this::ones);
      some(Labels.of(Labels.NAME, "h_bucket", "a", "" + a), 5, this::buckets);
    }
    some(Labels.of(Labels.NAME, "one"), 5, this::gauge);
    return data;
  }

  private interface Maker {
    void make(Labels labels);
  }

  /** With a chance of {@code sixths} out of six. */
  private void some(Labels labels, int sixths, Maker maker) {
    if (random.nextInt(6) < sixths) {
      maker.make(labels);
    }
  }

  private interface Values {
    double at(int index, double before);
  }

  private void series(Labels labels, double first, Values values) {
    SortedMap<Long, Double> samples = new TreeMap<>();
    long interval = pick(List.of(5_000L, 15_000L, 15_000L, 30_000L, 60_000L));
    long jitter = random.nextBoolean() ? 4 : 1;
    long time = startMs + (prometheus2 ? 3_700 : random.nextInt(100) * 1_000L);
    double value = first;
    for (int i = 0; time < startMs + LENGTH_MS; i++) {
      value = i == 0 ? first : values.at(i, value);
      boolean ends = !prometheus2 && random.nextInt(80) == 0;
      samples.put(time + random.nextLong(jitter), ends ? StalenessMarker.VALUE : value);
      boolean gap = random.nextInt(70) == 0;
      time += gap ? interval * (2 + random.nextInt(30)) : interval;
    }
    data.put(labels, samples);
  }

  private void counter(Labels labels) {
    int speed = 1 + random.nextInt(8);
    int floor = prometheus2 ? 100_000 : 0;
    series(
        labels,
        floor + random.nextInt(20),
        (i, before) ->
            random.nextInt(50) == 0 ? floor + random.nextInt(4) : before + random.nextInt(speed));
  }

  private void gauge(Labels labels) {
    int scale = pick(List.of(1, 4, 40));
    series(
        labels,
        random.nextInt(100) / 4.0,
        (i, before) -> before + random.nextInt(-scale, scale + 1) / 4.0);
  }

  private void wild(Labels labels) {
    series(
        labels,
        1,
        (i, before) ->
            switch (random.nextInt(12)) {
              case 0 -> Double.NaN;
              case 1 -> Double.POSITIVE_INFINITY;
              case 2 -> Double.NEGATIVE_INFINITY;
              case 3 -> -0.0;
              case 4 -> random.nextInt(5) * 1e6;
              default -> random.nextInt(-40, 40) / 4.0;
            });
  }

  private void ones(Labels labels) {
    series(labels, 1, (i, before) -> 1);
  }

  /** Now and then a bucket is missing, or was read a moment later than the one above it. */
  private void buckets(Labels labels) {
    long seed = random.nextLong();
    int skipped = random.nextInt(20);
    for (int b = 0; b < BOUNDS.size(); b++) {
      int rank = b + 1;
      SplittableRandom same = new SplittableRandom(seed);
      int floor = prometheus2 ? 10_000 : 0;
      if (b != skipped) {
        series(
            labels.with("le", BOUNDS.get(b)),
            rank * (double) floor,
            (i, before) -> before + same.nextInt(3) * rank + (random.nextInt(40) == 0 ? 9 : 0));
      }
    }
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
