package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.KnownResets;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.chunk.RandomHistograms;
import org.junit.jupiter.api.Test;

class HeadHistogramTest {
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private static final long STEP = 15_000;

  /** The start of a chunk's range. */
  private static final long START = 2 * HOUR * 236_000;

  private static final Labels LATENCY = Labels.of("__name__", "latency_seconds");

  private long now = START;
  private final HeadOptions options =
      HeadOptions.defaults().withBytesMax(64 << 20).withOutOfOrderWindowMs(5 * HOUR);
  private final Head head = new Head(options, () -> now);

  private static AppendOutcome append(Head head, long t, NativeHistogram histogram) {
    Appender appender = head.appender();
    AppendOutcome outcome = appender.append(appender.series(LATENCY), t, histogram);
    appender.commit();
    return outcome;
  }

  private AppendOutcome append(long t, NativeHistogram histogram) {
    return append(head, t, histogram);
  }

  private AppendOutcome append(long t, double value) {
    Appender appender = head.appender();
    AppendOutcome outcome = appender.append(appender.series(LATENCY), t, value);
    appender.commit();
    return outcome;
  }

  private static SampleColumns read(Head head) {
    SampleColumns columns = new SampleColumns();
    try (Querier querier = head.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      for (Series series : querier.select(List.of())) {
        series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      }
    }
    return columns;
  }

  private static NativeHistogram counting(double... counts) {
    double total = 0;
    for (double count : counts) {
      total += count;
    }
    return NativeHistogram.exponential(
        3, total, total / 4, 0x1p-128, 0, Buckets.from(-4, counts), Buckets.NONE);
  }

  /** "count hint" of histograms, and the value of floats. */
  private List<String> lines() {
    SampleColumns columns = read(head);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      NativeHistogram h = columns.histogram(i);
      lines.add(h == null ? columns.value(i) + "" : (long) h.count() + " " + h.resetHint());
    }
    return lines;
  }

  @Test
  void append_comparesWithWhatIsThere() {
    Appender appender = head.appender();
    long ref = appender.series(LATENCY);
    assertThat(appender.append(ref, START, counting(1, 2))).isEqualTo(AppendOutcome.ACCEPTED);
    assertThat(appender.append(ref, START, counting(1, 2))).isEqualTo(AppendOutcome.SAME);
    assertThat(appender.append(ref, START, counting(1, 3))).isEqualTo(AppendOutcome.DUPLICATE);
    assertThat(appender.append(ref, START, 1)).isEqualTo(AppendOutcome.DUPLICATE);
    appender.commit();
    assertThat(append(START, counting(1, 2, 0))).isEqualTo(AppendOutcome.SAME);
    assertThat(append(START, counting(2, 2))).isEqualTo(AppendOutcome.DUPLICATE);
    assertThat(append(START, Double.NaN)).isEqualTo(AppendOutcome.DUPLICATE);
    append(START + 1, 7);
    assertThat(append(START + 1, counting(1))).isEqualTo(AppendOutcome.DUPLICATE);
    assertThat(append(START, counting(1, 2))).isEqualTo(AppendOutcome.SAME);
    assertThat(append(START, Double.NaN)).isEqualTo(AppendOutcome.DUPLICATE);
    assertThat(append(START - 6 * HOUR, counting(1))).isEqualTo(AppendOutcome.TOO_OLD);
    assertThat(append(START - 7 * HOUR, counting(1))).isEqualTo(AppendOutcome.OUT_OF_BOUNDS);
    assertThat(head.stats().samples(AppendOutcome.ACCEPTED)).isEqualTo(2);
  }

  @Test
  void append_ofBothKinds() {
    append(START, counting(1));
    append(START + 1, 0.5);
    append(START + 2, counting(2));
    append(START + 3, StalenessMarker.VALUE);
    append(START + 4, counting(3));
    assertThat(lines()).containsExactly("1 UNKNOWN", "0.5", "2 UNKNOWN", "NaN", "3 UNKNOWN");
    assertThat(StalenessMarker.is(read(head).value(3))).isTrue();
    assertThat(head.stats().chunks()).isEqualTo(5);
  }

  @Test
  void append_ofAStaleSumIsAMarker() {
    append(START, counting(1));
    NativeHistogram stale =
        NativeHistogram.exponential(0, 0, StalenessMarker.VALUE, 0, 0, Buckets.NONE, Buckets.NONE);
    assertThat(append(START + 1, stale)).isEqualTo(AppendOutcome.ACCEPTED);
    assertThat(append(START + 1, stale)).isEqualTo(AppendOutcome.SAME);
    assertThat(read(head).histogram(1)).isNull();
    assertThat(StalenessMarker.is(read(head).value(1))).isTrue();
  }

  @Test
  void hints_ofChunksThatBegin() {
    append(START, counting(5));
    append(START + 1, counting(6));
    append(START + 2, counting(3));
    append(START + 3, counting(4).withHint(ResetHint.RESET));
    append(START + 4, counting(4.5));
    append(START + 5, counting(5).withHint(ResetHint.GAUGE));
    append(START + 6, counting(4).withHint(ResetHint.GAUGE));
    append(START + 7, counting(6));
    assertThat(lines())
        .containsExactly(
            "5 UNKNOWN",
            "6 NOT_RESET",
            "3 UNKNOWN",
            "4 RESET",
            "4 NOT_RESET",
            "5 GAUGE",
            "4 GAUGE",
            "6 UNKNOWN");
    assertThat(head.stats().chunks()).isEqualTo(6);
  }

  /** A sample before the first of a chunk makes what that said of its past void. */
  @Test
  void hints_afterASampleBetweenChunks() {
    append(START, counting(10));
    append(START + 2, counting(5, 1));
    append(START + 4, counting(6, 1).withHint(ResetHint.RESET));
    assertThat(lines()).containsExactly("10 UNKNOWN", "6 UNKNOWN", "7 RESET");
    append(START + 3, counting(7, 1));
    assertThat(lines()).containsExactly("10 UNKNOWN", "6 UNKNOWN", "8 UNKNOWN", "7 UNKNOWN");
    append(START + 1, counting(3).withHint(ResetHint.NOT_RESET));
    assertThat(lines())
        .containsExactly("10 UNKNOWN", "3 UNKNOWN", "6 NOT_RESET", "8 UNKNOWN", "7 UNKNOWN");
  }

  @Test
  void hints_ofAChunkInTheNextRange() {
    now += 2 * HOUR;
    append(START + 2 * HOUR - 2, counting(10));
    append(START + 2 * HOUR, counting(11));
    assertThat(lines()).containsExactly("10 UNKNOWN", "11 NOT_RESET");
    assertThat(head.stats().chunks()).isEqualTo(2);
    append(START + 2 * HOUR - 1, counting(12));
    assertThat(lines()).containsExactly("10 UNKNOWN", "12 NOT_RESET", "11 UNKNOWN");
  }

  @Test
  void hints_ofASealedChunkInTheNextRange() {
    now += 4 * HOUR;
    append(START + 2 * HOUR - 2, counting(10));
    append(START + 2 * HOUR, counting(11));
    append(START + 4 * HOUR, counting(12));
    assertThat(lines()).containsExactly("10 UNKNOWN", "11 NOT_RESET", "12 NOT_RESET");
    append(START + 2 * HOUR - 1, counting(12));
    assertThat(lines()).containsExactly("10 UNKNOWN", "12 NOT_RESET", "11 UNKNOWN", "12 NOT_RESET");
  }

  @Test
  void append_inOrderKnowsWhatOneKnowsThatSawAll() {
    for (long seed = 0; seed < 30; seed++) {
      Head fresh = new Head(options, () -> now);
      RandomHistograms histograms = new RandomHistograms(new Random(seed));
      List<NativeHistogram> expected = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        NativeHistogram histogram = histograms.next();
        expected.add(KnownResets.after(expected.isEmpty() ? null : expected.getLast(), histogram));
        append(fresh, START + i, histogram);
      }
      SampleColumns columns = read(fresh);
      assertThat(columns.size()).isEqualTo(300);
      for (int i = 0; i < 300; i++) {
        assertThat(columns.histogram(i)).as("seed " + seed + " at " + i).isEqualTo(expected.get(i));
      }
    }
  }

  /** Chunks grow, split and change kind under samples in any order; nothing is lost or counted. */
  @Test
  void append_inAnyOrder() {
    for (long seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      now = START + 3 * HOUR;
      Head fresh = new Head(options, () -> now);
      RandomHistograms histograms = new RandomHistograms(random);
      TreeMap<Long, NativeHistogram> expected = new TreeMap<>();
      while (expected.size() < 700) {
        long last = expected.isEmpty() ? START : expected.lastKey();
        expected.put(last + 1 + random.nextInt((int) STEP), histograms.next());
      }
      List<Map.Entry<Long, NativeHistogram>> samples = new ArrayList<>(expected.entrySet());
      Collections.shuffle(samples, random);
      for (Map.Entry<Long, NativeHistogram> sample : samples) {
        assertThat(append(fresh, sample.getKey(), sample.getValue()))
            .isEqualTo(AppendOutcome.ACCEPTED);
      }
      assertHolds(fresh, expected, "seed " + seed);
      assertThat(fresh.stats().chunks()).as("seed " + seed).isLessThan(expected.size() / 4);
      now -= 3 * HOUR + 20 * MINUTE; // all is too far ahead then
      fresh.maintain(now);
      assertThat(fresh.stats().bytes()).as("seed " + seed).isZero();
      assertThat(fresh.stats().chunks()).isZero();
    }
  }

  private static void assertHolds(Head head, Map<Long, NativeHistogram> expected, String what) {
    SampleColumns columns = read(head);
    assertThat(columns.size()).as(what).isEqualTo(expected.size());
    int i = 0;
    for (Map.Entry<Long, NativeHistogram> entry : expected.entrySet()) {
      assertThat(columns.timestampMs(i)).as(what).isEqualTo(entry.getKey());
      NativeHistogram actual = columns.histogram(i);
      assertThat(actual).as(what).isNotNull();
      assertThat(actual.sameAs(entry.getValue())).as(what).isTrue();
      if (i > 0 && actual.resetHint() == ResetHint.NOT_RESET) {
        assertThat(KnownResets.after(columns.histogram(i - 1), actual)).as(what).isEqualTo(actual);
      }
      i++;
    }
  }

  @Test
  void maintain_dropsWhatIsOldAndWhatIsAhead() {
    for (int i = 0; i < 5 * 240; i++) {
      append(now, counting(i, i));
      now += STEP;
    }
    now -= STEP;
    int before = read(head).size();
    long bytes = head.stats().bytes();
    now += 3 * HOUR;
    head.maintain(now);
    assertThat(read(head).size()).isEqualTo(before); // retention counts from the newest sample
    append(now, counting(4_000, 4_000));
    head.maintain(now);
    assertThat(head.stats().minMs()).isGreaterThanOrEqualTo(now - 6 * HOUR - 2 * HOUR);
    assertThat(head.stats().bytes()).isLessThan(bytes);
    now -= 2 * HOUR;
    head.maintain(now);
    assertThat(head.stats().maxMs()).isLessThanOrEqualTo(now + 10 * MINUTE);
    SampleColumns left = read(head);
    assertThat(left.timestampMs(left.size() - 1)).isEqualTo(head.stats().maxMs());
    append(now + 10 * MINUTE, counting(4_000, 4_000));
    assertThat(lines().getLast()).isEqualTo("8000 NOT_RESET");
  }

  @Test
  void bytes_reachTheirLimitAndTheOldestGo() {
    Head small = new Head(options.withBytesMax(60_000), () -> now);
    RandomHistograms histograms = new RandomHistograms(new Random(1));
    int accepted = 0;
    for (int i = 0; i < 4_000; i++, now += STEP) {
      accepted += append(small, now, histograms.next()) == AppendOutcome.ACCEPTED ? 1 : 0;
      assertThat(small.stats().bytes()).isLessThan(62_000);
    }
    assertThat(accepted).isEqualTo(4_000);
    assertThat(small.stats().roomDrops()).isPositive();
    assertThat(read(small).size()).isBetween(100, 3_999);
  }

  @Test
  void bytes_thatCantBeFreedRefuseHistograms() {
    Head small = new Head(options.withBytesMax(20_000), () -> now);
    RandomHistograms histograms = new RandomHistograms(new Random(1));
    AppendOutcome last = AppendOutcome.ACCEPTED;
    for (int i = 0; i < 4_000 && last == AppendOutcome.ACCEPTED; i++, now += 1) {
      last = append(small, now, histograms.next());
    }
    assertThat(last).isEqualTo(AppendOutcome.NO_ROOM);
  }

  /** A latency of about a second, as it is seen by a replica that ends two requests a second. */
  @Test
  void bytes_ofLatencies() {
    Random random = new Random(1);
    Map<Integer, Double> counts = new TreeMap<>();
    double sum = 0;
    int samples = 6 * 240;
    for (int i = 0; i < samples; i++, now += STEP) {
      for (int n = 20 + random.nextInt(20); n > 0; n--) {
        double seconds = Math.exp(0.7 * random.nextGaussian());
        sum += seconds;
        counts.merge((int) Math.ceil(8 * Math.log(seconds) / Math.log(2)), 1.0, Double::sum);
      }
      append(now + random.nextInt(3), latencies(counts, sum));
    }
    assertThat(counts.size()).isBetween(40, 70);
    long chunkBytes = head.stats().bytes() - head.stats().indexBytes();
    assertThat((double) chunkBytes / samples).isBetween(20.0, 60.0);
  }

  private static NativeHistogram latencies(Map<Integer, Double> counts, double sum) {
    int[] indexes = counts.keySet().stream().mapToInt(i -> i).toArray();
    double[] values = counts.values().stream().mapToDouble(c -> c).toArray();
    double count = counts.values().stream().mapToDouble(c -> c).sum();
    return NativeHistogram.exponential(
        3, count, sum, 0x1p-128, 0, Buckets.of(indexes, values), Buckets.NONE);
  }
}
