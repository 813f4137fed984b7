package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.Querier;
import org.inferometer.tsdb.chunk.RandomHistograms;
import org.inferometer.tsdb.wal.WalOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares a store with the plainest model over days of random work. */
class StoreModelTest {
  private static final long HOUR = StoreTest.HOUR;
  private static final long MINUTE = StoreTest.MINUTE;
  private static final long START = StoreTest.START;
  private static final Path FOLDER = Path.of("/data");

  /** As many blocks as lie in the retention at each level, and some that are on their way. */
  private static final int BLOCKS_MAX = 20;

  /** A sample of either kind. */
  private record Sample(double value, @Nullable NativeHistogram histogram) {}

  /** One run of random work. */
  private static final class Run {
    private final Random random;
    private SimulatedDisk disk;
    private final List<String> told = new ArrayList<>();
    private final List<TreeMap<Long, Sample>> model = new ArrayList<>();
    private final List<RandomHistograms> histograms = new ArrayList<>();
    private final StoreOptions options;
    private final int seriesCount;
    private long now = START + 7 * MINUTE;
    private Store store;

    Run(long seed, int seriesCount) {
      random = new Random(seed);
      this.seriesCount = seriesCount;
      disk = new SimulatedDisk(seed);
      for (int i = 0; i < seriesCount; i++) {
        model.add(new TreeMap<>());
        histograms.add(new RandomHistograms(random));
      }
      HeadOptions head =
          HeadOptions.defaults().withRetentionMs(1_000 * HOUR).withOutOfOrderWindowMs(45 * MINUTE);
      options =
          new StoreOptions(
              FOLDER,
              false,
              40 * HOUR,
              0,
              2 * HOUR,
              18 * HOUR,
              head,
              new WalOptions(1 << 18, true));
      store = open();
    }

    private Store open() {
      return Store.open(
          options, disk, () -> now, told::add, new SplittableRandom(random.nextLong()));
    }

    private static Labels labels(int series) {
      return StoreTest.labels(series);
    }

    private Sample sample(int series) {
      return series % 10 == 9
          ? new Sample(Double.NaN, histograms.get(series).next())
          : new Sample(random.nextInt(5) == 0 ? random.nextGaussian() : random.nextInt(100), null);
    }

    private static AppendOutcome append(Appender appender, int series, long t, Sample sample) {
      long ref = appender.series(labels(series));
      NativeHistogram histogram = sample.histogram();
      return histogram == null
          ? appender.append(ref, t, sample.value())
          : appender.append(ref, t, histogram);
    }

    private void scrape() {
      Appender appender = store.appender();
      List<Runnable> onCommit = new ArrayList<>();
      for (int series = 0; series < seriesCount; series++) {
        if (isMissing(series)) {
          continue;
        }
        put(appender, series, now + series, onCommit);
      }
      appender.commit();
      onCommit.forEach(Runnable::run);
    }

    /** Some series come and go for hours, and each misses a scrape now and then. */
    private boolean isMissing(int series) {
      return (series % 4 == 3 && (now / HOUR + series) % 7 < 3) || random.nextInt(30) == 0;
    }

    private void put(Appender appender, int series, long t, List<Runnable> onCommit) {
      Sample sample = sample(series);
      if (append(appender, series, t, sample) == AppendOutcome.ACCEPTED) {
        onCommit.add(() -> model.get(series).put(t, sample));
      }
    }

    private void late() {
      Appender appender = store.appender();
      List<Runnable> onCommit = new ArrayList<>();
      for (int i = random.nextInt(20); i >= 0; i--) {
        int series = random.nextInt(seriesCount);
        long t = now - random.nextInt((int) (50 * MINUTE));
        TreeMap<Long, Sample> samples = model.get(series);
        if (!samples.containsKey(t) && t >= START && !samples.isEmpty()) {
          put(appender, series, t, onCommit);
        }
      }
      appender.commit();
      onCommit.forEach(Runnable::run);
    }

    private void delete() {
      int series = random.nextInt(seriesCount);
      long from = now - random.nextInt((int) (30 * HOUR));
      long to = from + random.nextInt((int) (3 * HOUR));
      store.delete(List.of(new Matcher(Matcher.Type.EQUAL, "i", "v" + series)), from, to);
      model.get(series).subMap(from, true, to, true).clear();
    }

    private void step() {
      now += MINUTE;
      scrape();
      if (random.nextInt(10) == 0) {
        late();
      }
      if (random.nextInt(15) == 0) {
        store.maintain(now);
      }
      if (random.nextInt(150) == 0) {
        delete();
      }
      if (random.nextInt(400) == 0) {
        store.cleanTombstones();
      }
      if (random.nextInt(300) == 0) {
        reopen();
      }
      if (random.nextInt(40) == 0) {
        check(random.nextInt((int) (10 * HOUR)), random.nextInt((int) (10 * HOUR)));
      }
    }

    private void reopen() {
      if (random.nextBoolean()) {
        store.close();
        assertThat(disk.openMappings()).isZero();
        assertThat(disk.openFiles()).isZero();
      } else {
        disk = disk.processKill();
      }
      store = open();
    }

    /** Looks at a stretch that ends so long ago. */
    private void check(long agoMs, long forMs) {
      long to = now + HOUR - agoMs;
      long from = Math.max(now - 40 * HOUR, to - forMs);
      try (Querier querier = store.querier(from, to);
          Querier expected = modelQuerier(from, to)) {
        assertThat(dump(querier)).isEqualTo(dump(expected));
        assertThat(querier.warnings()).isEmpty();
        assertThat(querier.labelValues("i", List.of()))
            .containsAll(expected.labelValues("i", List.of()));
      }
      assertThat(store.blocks()).hasSizeLessThan(BLOCKS_MAX);
      assertThat(store.stats().trouble()).isEmpty();
    }

    private static String dump(Querier querier) {
      return MergedQuerierTest.dump(querier, StoreTest.ALL, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private Querier modelQuerier(long from, long to) {
      MemorySeries series = new MemorySeries();
      for (int i = 0; i < seriesCount; i++) {
        Labels labels = labels(i);
        NavigableMap<Long, Sample> samples = model.get(i).subMap(from, true, to, true);
        samples.forEach(
            (t, sample) -> {
              NativeHistogram histogram = sample.histogram();
              if (histogram == null) {
                series.add(labels, t, sample.value());
              } else {
                series.add(labels, t, histogram);
              }
            });
      }
      return series.querier(from, to);
    }

    private long blockFolders() {
      return disk.files(FOLDER).stream().filter(file -> file.endsWith("meta.json")).count();
    }

    void run(long forMs) {
      for (long end = now + forMs; now < end; ) {
        step();
      }
      check(0, 100 * HOUR);
      store.maintain(now);
      check(0, 100 * HOUR);
      int listed = store.blocks().size();
      store.close();
      assertThat(disk.openMappings()).isZero();
      assertThat(blockFolders()).isEqualTo(listed).isLessThan(BLOCKS_MAX);
      assertThat(disk.files(FOLDER)).hasSizeLessThan(5 * BLOCKS_MAX + 20);
      assertThat(told)
          .allMatch(sentence -> sentence.contains("tmp-for") || sentence.contains("tail"));
    }
  }

  @Test
  void days_ofRandomWork() {
    for (long seed = 0; seed < 2; seed++) {
      Run run = new Run(seed, 20);
      try {
        run.run(60 * HOUR);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
