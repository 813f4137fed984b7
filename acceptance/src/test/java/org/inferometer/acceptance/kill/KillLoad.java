package org.inferometer.acceptance.kill;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.jspecify.annotations.Nullable;

/**
 * What several writers write at each tick: a function of writer and tick alone, so that whoever
 * knows which batches were acknowledged knows every bit that must be there. A batch is like a
 * scrape: counters, gauges with odd values, native histograms, series that are there for a while
 * and end with a staleness marker, and now and then a sample that comes late.
 */
final class KillLoad {
  static final int WRITERS = 4;
  static final long START_MS = 1_700_000_040_000L;
  static final long TICK_MS = 500;

  /** Blocks so short that some are cut each second, and compacted twice. */
  static final long BLOCK_MS = 60_000;

  static final long BLOCK_MS_MAX = 9 * BLOCK_MS;
  static final long RETENTION_MS = 20 * BLOCK_MS;
  static final long LATE_WINDOW_MS = 60_000;

  private static final int COUNTERS = 20;
  private static final int GAUGES = 8;
  private static final int HISTOGRAMS = 3;
  private static final int VISITORS = 5;

  /** How many ticks a series that comes and goes is there. */
  private static final int VISIT_TICKS = 90;

  private static final int LATE_TICKS = 40;
  private static final int LATE_EVERY = 3;

  private static final Map<String, Labels> KNOWN = new ConcurrentHashMap<>();

  private KillLoad() {}

  /** One sample; its value is NaN if it is a histogram. */
  record Entry(
      Labels labels, long timestampMs, double value, @Nullable NativeHistogram histogram) {}

  static long timeMs(int tick) {
    return START_MS + tick * TICK_MS;
  }

  /** The last tick at or before a time. */
  static int tickAt(long timeMs) {
    return (int) Math.max(0, (timeMs - START_MS) / TICK_MS);
  }

  static List<Entry> batch(int writer, int tick) {
    List<Entry> batch = new ArrayList<>();
    long time = timeMs(tick);
    SplittableRandom random = new SplittableRandom(writer * 1_000_003L + tick);
    for (int i = 0; i < COUNTERS; i++) {
      batch.add(entry(labels(writer, "counter_total", i), time, (double) tick * (i + 1) + i));
    }
    for (int i = 0; i < GAUGES; i++) {
      batch.add(entry(labels(writer, "gauge", i), time, odd(random, i)));
    }
    for (int i = 0; i < HISTOGRAMS; i++) {
      batch.add(new Entry(labels(writer, "latency", i), time, Double.NaN, histogram(i, tick)));
    }
    visitors(batch, writer, tick);
    late(batch, writer, tick);
    return batch;
  }

  private static Entry entry(Labels labels, long timeMs, double value) {
    return new Entry(labels, timeMs, value, null);
  }

  private static Labels labels(int writer, String name, int number) {
    return KNOWN.computeIfAbsent(
        name + number + "h" + writer,
        key ->
            Labels.of(
                Labels.NAME,
                name,
                "instance",
                "h" + writer + ":1",
                "job",
                "kill",
                "n",
                "" + number));
  }

  private static double odd(SplittableRandom random, int number) {
    return switch (number) {
      case 0 -> random.nextBoolean() ? Double.POSITIVE_INFINITY : -0.0;
      case 1 -> random.nextInt(4) == 0 ? StalenessMarker.NORMAL_NAN : random.nextInt(10);
      case 2 -> 1;
      case 3 -> Double.MIN_VALUE * random.nextInt(100);
      default -> random.nextDouble() * (number % 2 == 0 ? 1 : 1e12);
    };
  }

  /** Counters but for the last, which is a gauge with counts that aren't whole. */
  private static NativeHistogram histogram(int number, int tick) {
    boolean gauge = number == HISTOGRAMS - 1;
    double[] counts = new double[4 + tick % 300 / 100];
    double count = tick + 1;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = gauge ? tick % 7 + i * 0.25 : (long) tick * (i + 1);
      count += counts[i];
    }
    NativeHistogram histogram =
        NativeHistogram.exponential(
            number + 1,
            count,
            tick * 0.5,
            0.001,
            tick + 1,
            Buckets.from(number - 2, counts),
            Buckets.NONE);
    return gauge ? histogram.withHint(ResetHint.GAUGE) : histogram;
  }

  private static void visitors(List<Entry> batch, int writer, int tick) {
    int visit = tick / VISIT_TICKS;
    for (int i = 0; i < VISITORS; i++) {
      batch.add(entry(visitor(writer, visit, i), timeMs(tick), tick + i));
      if (tick % VISIT_TICKS == 0 && visit > 0) {
        batch.add(entry(visitor(writer, visit - 1, i), timeMs(tick), StalenessMarker.VALUE));
      }
    }
  }

  private static Labels visitor(int writer, int visit, int number) {
    return labels(writer, "visitor", number)
        .with("visit", "v" + visit)
        .with("path", "/" + "p".repeat(number * 40));
  }

  /** Between two ticks, so that no other sample has its time. */
  private static void late(List<Entry> batch, int writer, int tick) {
    Labels labels = labels(writer, "late", 0);
    batch.add(entry(labels, timeMs(tick), tick));
    if (tick >= LATE_TICKS && tick % LATE_EVERY == 0) {
      batch.add(entry(labels, timeMs(tick - LATE_TICKS) + TICK_MS / 2, -tick));
    }
  }
}
