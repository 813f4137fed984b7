package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.KnownResets;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.chunk.RandomHistograms;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares a head with the plainest model under random work, in one thread and in several. */
class HeadModelTest {
  private static final long START = 1_700_000_000_000L;
  private static final long MINUTE = 60_000;
  private static final String[] NAMES = {"__name__", "job", "instance", "le", "model"};

  private static final List<Matcher.Type> TYPES = List.of(Matcher.Type.values());

  private static final String[] REGEXES = {
    "v1", "v1|v2", "v.*", ".*1", ".+", ".*", "", "v[0-3]", "(?i)V2", "v1|", "x|y", ".*v.*", "v.+|"
  };

  private static Labels randomLabels(Random random, int values) {
    Labels.Builder builder = new Labels.Builder();
    for (String name : NAMES) {
      if (random.nextInt(5) != 0) {
        builder.set(name, "v" + random.nextInt(values));
      }
    }
    return builder.build();
  }

  private static List<Matcher> randomMatchers(Random random, int values) {
    List<Matcher> matchers = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Matcher.Type type = TYPES.get(random.nextInt(TYPES.size()));
      boolean isRegex = type == Matcher.Type.REGEX || type == Matcher.Type.NOT_REGEX;
      String name = random.nextInt(12) == 0 ? "none" : NAMES[random.nextInt(NAMES.length)];
      String value = random.nextInt(6) == 0 ? "" : "v" + random.nextInt(values + 1);
      matchers.add(
          new Matcher(type, name, isRegex ? REGEXES[random.nextInt(REGEXES.length)] : value));
    }
    return matchers;
  }

  /** One sample, of either kind. */
  private record Sample(double value, @Nullable NativeHistogram histogram) {
    AppendOutcome appendTo(Appender appender, Labels labels, long t) {
      long ref = appender.series(labels);
      return histogram == null
          ? appender.append(ref, t, value)
          : appender.append(ref, t, histogram);
    }

    boolean isSame(Sample other) {
      return HeadSeries.isSame(value, histogram, other.value, other.histogram);
    }

    String text(boolean withHint) {
      if (histogram == null) {
        return Long.toHexString(Double.doubleToRawLongBits(value));
      }
      NativeHistogram h = histogram.compact();
      return "{%d %s %s %s %s [%s] [%s] %s %s}"
          .formatted(
              h.schema(),
              h.count(),
              h.sum(),
              h.zeroThreshold(),
              h.zeroCount(),
              h.positive(),
              h.negative(),
              Arrays.toString(h.customBounds()),
              withHint || h.isGauge() ? h.resetHint() : "");
    }
  }

  private static String dump(
      Querier querier, List<Matcher> matchers, long fromMs, long toMs, boolean withHints) {
    StringBuilder out = new StringBuilder();
    SampleColumns columns = new SampleColumns();
    for (Series series : querier.select(matchers)) {
      columns.clear();
      series.read(fromMs, toMs, columns);
      out.append(series.labels());
      for (int i = 0; i < columns.size(); i++) {
        out.append(' ').append(columns.timestampMs(i) - START).append(':');
        out.append(new Sample(columns.value(i), columns.histogram(i)).text(withHints));
      }
      out.append('\n');
    }
    return out.toString();
  }

  /** One run of random work on a head and its model. */
  private static final class Run {
    private final Random random;
    private final int values;
    private final boolean isOutOfOrder;
    private final Head head;
    private final MemorySeries model = new MemorySeries();
    private final Map<Labels, TreeMap<Long, Sample>> samplesByTime = new HashMap<>();
    private final Map<Labels, RandomHistograms> histograms = new HashMap<>();
    private long now = START;

    Run(long seed) {
      random = new Random(seed);
      values = 1 + random.nextInt(8);
      isOutOfOrder = random.nextBoolean();
      HeadOptions options =
          HeadOptions.defaults().withOutOfOrderWindowMs(isOutOfOrder ? 5 * MINUTE : 0);
      head = new Head(options, () -> now);
    }

    void batch() {
      Appender appender = head.appender();
      List<Runnable> onCommit = new ArrayList<>();
      Map<Labels, Long> pendingNewest = new HashMap<>();
      boolean isRolledBack = random.nextInt(8) == 0;
      for (int i = random.nextInt(60); i > 0; i--) {
        Labels labels = randomLabels(random, values);
        TreeMap<Long, Sample> stored =
            samplesByTime.computeIfAbsent(labels, key -> new TreeMap<>());
        long t = randomTime(stored);
        Sample sample = randomSample(labels, stored.get(t));
        if ((stored.isEmpty() && pendingNewest.containsKey(labels)) || t == now - 1) {
          continue;
        }
        AppendOutcome expected = expect(stored, pendingNewest.get(labels), t, sample);
        if (expected == null) {
          continue;
        }
        assertThat(sample.appendTo(appender, labels, t)).isEqualTo(expected);
        if (expected == AppendOutcome.ACCEPTED) {
          pendingNewest.merge(labels, t, Math::max);
          onCommit.add(() -> store(labels, t, sample));
        }
      }
      if (isRolledBack) {
        appender.rollback();
      } else {
        appender.commit();
        onCommit.forEach(Runnable::run);
      }
      now += random.nextInt(4) == 0 ? random.nextInt(400_000) : 15_000;
    }

    private long randomTime(NavigableMap<Long, Sample> stored) {
      return switch (random.nextInt(6)) {
        case 0, 1 -> now - random.nextInt((int) (6 * MINUTE));
        case 2 -> {
          Long known = stored.floorKey(now - random.nextInt((int) (6 * MINUTE)));
          yield known == null ? now : known;
        }
        default -> now;
      };
    }

    /** Series have one kind for the most part, by their labels. */
    private Sample randomSample(Labels labels, @Nullable Sample stored) {
      if (stored != null && random.nextBoolean()) {
        return stored;
      }
      boolean isHistogram = (labels.hashCode() & 1) == 0 ^ random.nextInt(15) == 0;
      if (isHistogram) {
        return new Sample(
            Double.NaN,
            histograms.computeIfAbsent(labels, key -> new RandomHistograms(random)).next());
      }
      return new Sample(random.nextInt(9) == 0 ? StalenessMarker.VALUE : random.nextInt(5), null);
    }

    private void store(Labels labels, long t, Sample sample) {
      if (sample.histogram == null) {
        model.add(labels, t, sample.value);
      } else {
        model.add(labels, t, sample.histogram);
      }
      samplesByTime.computeIfAbsent(labels, key -> new TreeMap<>()).put(t, sample);
    }

    /** Null where the batch holds that series already: what then counts is tested by itself. */
    private @Nullable AppendOutcome expect(
        NavigableMap<Long, Sample> stored, @Nullable Long pending, long t, Sample sample) {
      if (pending != null) {
        return null;
      }
      Sample known = stored.get(t);
      if (known != null) {
        return sample.isSame(known) ? AppendOutcome.SAME : AppendOutcome.DUPLICATE;
      }
      if (stored.isEmpty() || t > stored.lastKey()) {
        return AppendOutcome.ACCEPTED;
      }
      if (!isOutOfOrder || StalenessMarker.is(sample.value)) {
        return AppendOutcome.OUT_OF_ORDER;
      }
      return t < stored.lastKey() - 5 * MINUTE ? AppendOutcome.TOO_OLD : AppendOutcome.ACCEPTED;
    }

    void compare() {
      long span = now - START;
      long min = START + random.nextLong(span) - MINUTE;
      long max = min + random.nextLong(span);
      if (random.nextInt(3) == 0) {
        min = Long.MIN_VALUE;
        max = Long.MAX_VALUE;
      }
      List<Matcher> matchers = randomMatchers(random, values);
      String name = NAMES[random.nextInt(NAMES.length)];
      try (Querier actual = head.querier(min, max);
          Querier expected = model.querier(min, max)) {
        long from = min + (random.nextBoolean() ? 0 : random.nextInt(100_000));
        // A sample between others leaves the head to know less than one that saw all in order.
        assertThat(dump(actual, matchers, from, max, !isOutOfOrder))
            .as(matchers.toString())
            .isEqualTo(dump(expected, matchers, from, max, !isOutOfOrder));
        if (random.nextInt(8) == 0) {
          checkHints(actual);
        }
        assertThat(actual.labelNames(matchers)).isEqualTo(expected.labelNames(matchers));
        assertThat(actual.labelValues(name, matchers))
            .isEqualTo(expected.labelValues(name, matchers));
      }
    }
  }

  /** What the head tells of resets is so, whatever came between. */
  private static void checkHints(Querier querier) {
    SampleColumns columns = new SampleColumns();
    for (Series series : querier.select(List.of())) {
      columns.clear();
      series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      for (int i = 1; i < columns.size(); i++) {
        NativeHistogram h = columns.histogram(i);
        if (h != null && h.resetHint() == ResetHint.NOT_RESET) {
          assertThat(KnownResets.after(columns.histogram(i - 1), h).resetHint())
              .isEqualTo(ResetHint.NOT_RESET);
        }
      }
    }
  }

  @Test
  void head_answersAsTheModel() {
    for (long seed = 0; seed < 25; seed++) {
      Run run = new Run(seed);
      try {
        for (int i = 0; i < 60; i++) {
          run.batch();
          run.compare();
          if (i % 10 == 9) {
            run.head.maintain(run.now);
          }
        }
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** Shared by the threads of the stress test. */
  private static final class Stress {
    private static final int WRITERS = 2;
    private static final int SERIES_EACH = 40;
    private static final int BATCHES = 300;

    private final AtomicLong now = new AtomicLong(START);
    private final AtomicBoolean isDone = new AtomicBoolean();
    private final Head head =
        new Head(
            HeadOptions.defaults().withRetentionMs(16 * MINUTE).withBytesMax(8 << 20), now::get);

    /** When the other threads began their present step: the clock mustn't run away from them. */
    private final long[] stepBegins = new long[WRITERS + 1];

    private synchronized long tick() throws InterruptedException {
      while (isTooFast()) {
        wait();
      }
      return now.addAndGet(5_000);
    }

    private synchronized void beginStep(int thread, long timeMs) {
      stepBegins[thread] = timeMs;
      notifyAll();
    }

    private boolean isTooFast() {
      return Arrays.stream(stepBegins).min().orElseThrow() < now.get() - 5 * MINUTE;
    }

    /** Repeats a step until the writers are done. */
    private long repeat(int thread, IntSupplier step) {
      long total = 0;
      try {
        while (!isDone.get()) {
          beginStep(thread, now.get());
          total += step.getAsInt();
        }
      } finally {
        beginStep(thread, Long.MAX_VALUE);
      }
      return total;
    }

    /** Writes batches in which all series have one value, with series that live shortly between. */
    long write(int writer) throws InterruptedException {
      Labels[] labels = new Labels[SERIES_EACH];
      for (int i = 0; i < SERIES_EACH; i++) {
        labels[i] = Labels.of("__name__", "x", "writer", "w" + writer, "i", Integer.toString(i));
      }
      long accepted = 0;
      for (int batch = 1; batch <= BATCHES; batch++) {
        long t = tick();
        Appender appender = head.appender();
        Labels brief = Labels.of("__name__", "brief", "batch", writer + "-" + batch / 3);
        append(appender, brief, t, batch);
        for (Labels one : labels) {
          append(appender, one, t, batch);
          accepted++;
        }
        appender.commit();
      }
      return accepted;
    }

    /** A series without samples may go between asking for it and appending. */
    private static void append(Appender appender, Labels labels, long t, int batch) {
      Sample sample = new Sample(batch, isHistogram(labels) ? counting(batch) : null);
      AppendOutcome outcome = AppendOutcome.UNKNOWN_SERIES;
      for (int i = 0; i < 100 && outcome == AppendOutcome.UNKNOWN_SERIES; i++) {
        outcome = sample.appendTo(appender, labels, t);
      }
      assertThat(outcome).isEqualTo(AppendOutcome.ACCEPTED);
    }

    private static boolean isHistogram(Labels labels) {
      return labels.get("i").endsWith("3");
    }

    /** Has another bucket now and then. */
    private static NativeHistogram counting(int batch) {
      double[] counts = new double[1 + batch / 20];
      Arrays.fill(counts, 1);
      counts[0] = batch - batch / 20;
      return NativeHistogram.exponential(
          3, batch, batch, 0, 0, Buckets.from(0, counts), Buckets.NONE);
    }

    private static double number(SampleColumns columns, int index) {
      NativeHistogram histogram = columns.histogram(index);
      return histogram == null ? columns.value(index) : histogram.count();
    }

    /** Every batch is seen whole: the newest samples of a writer's series are the same. */
    int query(Random random) {
      SampleColumns columns = new SampleColumns();
      String writer = "w" + random.nextInt(WRITERS);
      List<Matcher> matchers =
          List.of(Matcher.equal("__name__", "x"), Matcher.equal("writer", writer));
      try (Querier querier = head.querier(now.get() - 10 * MINUTE, Long.MAX_VALUE)) {
        List<Series> selected = querier.select(matchers);
        assertThat(selected.size()).isIn(0, SERIES_EACH);
        double newest = -1;
        for (Series series : selected) {
          columns.clear();
          series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
          double last = number(columns, columns.size() - 1);
          assertThat(newest < 0 || last == newest).as(writer + " is whole").isTrue();
          newest = last;
          assertThat(hasGap(columns)).as(writer + " has a gap").isFalse();
        }
        return selected.size();
      }
    }

    private static boolean hasGap(SampleColumns columns) {
      for (int i = 1; i < columns.size(); i++) {
        if (number(columns, i) != number(columns, i - 1) + 1) {
          return true;
        }
      }
      return false;
    }

    int maintain() {
      head.maintain(now.get());
      head.cardinality(3);
      head.stats();
      return 1;
    }
  }

  @Test
  void head_keepsBatchesWholeWhileAllRunsAtOnce() throws Exception {
    Stress stress = new Stress();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Long>> writers = new ArrayList<>();
      List<Future<Long>> others = new ArrayList<>();
      for (int i = 0; i < Stress.WRITERS; i++) {
        int writer = i;
        writers.add(threads.submit((Callable<Long>) () -> stress.write(writer)));
        Random random = new Random(i);
        others.add(
            threads.submit(
                (Callable<Long>) () -> stress.repeat(writer, () -> stress.query(random))));
      }
      others.add(
          threads.submit((Callable<Long>) () -> stress.repeat(Stress.WRITERS, stress::maintain)));
      try {
        for (Future<Long> writer : writers) {
          assertThat(writer.get()).isEqualTo((long) Stress.BATCHES * Stress.SERIES_EACH);
        }
      } finally {
        stress.isDone.set(true);
      }
      for (Future<Long> other : others) {
        assertThat(other.get()).isPositive();
      }
    }
    HeadStats stats = stress.head.stats();
    assertThat(stats.samples(AppendOutcome.ACCEPTED))
        .isEqualTo((long) Stress.WRITERS * Stress.BATCHES * (Stress.SERIES_EACH + 1));
    assertThat(stats.seriesRemoved()).isPositive();
    assertThat(stats.seriesCreated() - stats.seriesRemoved()).isEqualTo(stats.series());
  }
}
