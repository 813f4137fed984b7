package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.io.DiskFault;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.Appender;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.chunk.RandomHistograms;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.inferometer.tsdb.chunk.StoredChunk;
import org.inferometer.tsdb.wal.WalOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Does random work on a durable head, kills it, and holds what comes back against a model. */
class HeadDurabilityTest {
  private static final long RANGE = 7_200_000;
  private static final long START = 1_700_000_000_000L / RANGE * RANGE;
  private static final long MINUTE = 60_000;
  private static final long WINDOW = 180 * MINUTE;

  /** Samples by series and time, as text. */
  private static final class Samples extends TreeMap<String, TreeMap<Long, String>> {
    private static final long serialVersionUID = 1;

    void put(Labels labels, long t, double value, @Nullable NativeHistogram histogram) {
      computeIfAbsent(labels.toString(), key -> new TreeMap<>()).put(t, text(value, histogram));
    }

    void putAll(Samples others) {
      others.forEach((k, v) -> computeIfAbsent(k, key -> new TreeMap<>()).putAll(v));
    }

    Samples without(Samples others) {
      Samples left = new Samples();
      forEach(
          (labels, samples) -> {
            TreeMap<Long, String> rest = new TreeMap<>(samples);
            rest.keySet().removeAll(others.getOrDefault(labels, new TreeMap<>()).keySet());
            if (!rest.isEmpty()) {
              left.put(labels, rest);
            }
          });
      return left;
    }

    Samples different(Samples others) {
      Samples left = new Samples();
      forEach(
          (labels, samples) -> {
            TreeMap<Long, String> rest = new TreeMap<>(samples);
            rest.entrySet().removeAll(others.getOrDefault(labels, new TreeMap<>()).entrySet());
            left.put(labels, rest);
          });
      return left;
    }

    /** What one has and the other hasn't. */
    static void check(Samples actual, Samples expected) {
      if (!actual.dump().equals(expected.dump())) {
        throw new AssertionError(
            "missing: "
                + expected.without(actual).dump()
                + " too many: "
                + actual.without(expected).dump()
                + " other: "
                + expected.different(actual).dump()
                + " was "
                + actual.different(expected).dump());
      }
    }

    String dump() {
      StringBuilder out = new StringBuilder();
      forEach(
          (labels, samples) -> {
            if (!samples.isEmpty()) {
              out.append(labels);
              samples.forEach(
                  (t, text) -> out.append(' ').append(t - START).append(':').append(text));
              out.append('\n');
            }
          });
      return out.toString();
    }
  }

  private static String text(double value, @Nullable NativeHistogram histogram) {
    if (histogram == null) {
      return Long.toHexString(Double.doubleToRawLongBits(value));
    }
    NativeHistogram h = histogram.compact();
    return Objects.hash(
            h.schema(),
            h.count(),
            h.sum(),
            h.zeroThreshold(),
            h.zeroCount(),
            h.positive().toString() + h.negative() + Arrays.toString(h.customBounds()),
            h.isGauge())
        + "h";
  }

  private static Samples samples(Head head) {
    try (Querier querier = head.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      Samples all = new Samples();
      SampleColumns columns = new SampleColumns();
      for (Series series : querier.select(List.of())) {
        columns.clear();
        series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
        for (int i = 0; i < columns.size(); i++) {
          assertThat(i == 0 || columns.timestampMs(i) > columns.timestampMs(i - 1)).isTrue();
          all.put(series.labels(), columns.timestampMs(i), columns.value(i), columns.histogram(i));
        }
      }
      assertThat(querier.warnings()).isEmpty();
      return all;
    }
  }

  /** One run. */
  private static final class Run {
    private static final Path FOLDER = Path.of("/data");

    private final Random random;
    private final HeadOptions options;
    private final WalOptions wal = new WalOptions(4 * WalOptions.PAGE_BYTES, true);
    private SimulatedDisk disk;
    private Head head;
    private final Samples expected = new Samples();
    private final Samples blocks = new Samples();
    private final Map<String, RandomHistograms> histograms = new HashMap<>();
    private long blocksEndMs = Long.MIN_VALUE;
    private long now = START + RANGE / 3;
    private final List<String> log = new ArrayList<>();
    private boolean hadFaults;

    /** What may fail. */
    private interface Attempt {
      void run() throws IOException;
    }

    Run(long seed) throws IOException {
      random = new Random(seed);
      options = HeadOptions.defaults().withOutOfOrderWindowMs(random.nextInt(4) == 0 ? 0 : WINDOW);
      disk = new SimulatedDisk(seed);
      head = open();
    }

    private Head open() throws IOException {
      Head opened = new Head(options, () -> now, new HeadFiles(disk, FOLDER, false, wal));
      ReplayReport report = opened.replay(blocksEndMs, 1 + random.nextInt(3));
      if (!hadFaults) {
        assertThat(report.problems()).isEmpty();
      }
      hadFaults = false;
      return opened;
    }

    void kill() throws IOException {
      log.add("kill");
      disk = disk.processKill();
      head = open();
    }

    /** Some of the next changes of the logs fail. */
    void fail() {
      hadFaults = true;
      log.add("fault");
      disk.fail(
          DiskFault.ofChanges()
              .on("/w[ab]l/")
              .after(random.nextInt(4))
              .times(1 + random.nextInt(3))
              .leaving(random.nextInt(300)));
    }

    /** Does what may fail; what memory says then counts. */
    private void attempt(Attempt work) throws IOException {
      try {
        work.run();
      } catch (IOException | StoreException e) {
        if (!hadFaults) {
          throw e;
        }
        log.add("failed: " + e.getMessage());
        remember();
      }
    }

    /** Two appenders, the samples of which may meet. */
    void batches() {
      List<Runnable> accepted = new ArrayList<>();
      Appender[] appenders = {head.appender(), head.appender()};
      for (int i = random.nextInt(40); i > 0; i--) {
        append(appenders[random.nextInt(2)]);
      }
      for (Appender appender : appenders) {
        if (random.nextInt(8) == 0) {
          appender.rollback();
        } else {
          commit(appender);
        }
      }
      accepted.forEach(Runnable::run);
      now += random.nextInt(20) == 0 ? random.nextInt((int) RANGE) : 30_000;
    }

    /** What is there is what memory says: that it lasts is what is tested. */
    private void commit(Appender appender) {
      Samples before = samples(head);
      try {
        appender.commit();
      } catch (StoreException e) {
        assertThat(hadFaults).isTrue();
        Samples.check(samples(head), before);
      }
      remember();
    }

    private void remember() {
      expected.clear();
      expected.putAll(blocks);
      expected.putAll(samples(head));
    }

    private void append(Appender appender) {
      String name = "v" + random.nextInt(12);
      Labels labels = Labels.of("__name__", name, "x", "y");
      long t =
          switch (random.nextInt(8)) {
            case 0 -> now - random.nextInt((int) (4 * MINUTE));
            case 1 -> now - random.nextInt((int) (200 * MINUTE));
            default -> now - random.nextInt(3) * 1_000L;
          };
      long ref = appender.series(labels);
      if (name.compareTo("v3") > 0 ^ random.nextInt(20) == 0) {
        boolean isStale = random.nextInt(12) == 0;
        appender.append(ref, t, isStale ? StalenessMarker.VALUE : random.nextInt(5));
      } else {
        RandomHistograms source =
            histograms.computeIfAbsent(name, key -> new RandomHistograms(random));
        appender.append(ref, t, source.next());
      }
    }

    void cut(boolean isKilledBetween) throws IOException {
      long cutMs = Long.MIN_VALUE;
      Samples written = new Samples();
      for (BlockCut cut : head.cuts(now)) {
        head.give(cut);
        Iterator<SeriesChunks> all = head.series(cut.minMs(), cut.maxMs());
        Labels last = Labels.of();
        while (all.hasNext()) {
          SeriesChunks series = all.next();
          assertThat(series.labels()).isGreaterThan(last);
          last = series.labels();
          for (StoredChunk chunk : series.chunks()) {
            assertThat(chunk.minMs()).isGreaterThanOrEqualTo(cut.minMs());
            assertThat(chunk.maxMs()).isLessThan(cut.maxMs());
            SampleColumns columns = new SampleColumns();
            chunk.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
            for (int i = 0; i < columns.size(); i++) {
              written.put(
                  series.labels(), columns.timestampMs(i), columns.value(i), columns.histogram(i));
            }
          }
        }
        log.add("cut " + (cut.minMs() - START) + (cut.isLate() ? " late" : ""));
        cutMs = Math.max(cutMs, cut.maxMs());
        if (random.nextBoolean()) {
          batches();
        }
      }
      blocks.putAll(written);
      blocksEndMs = Math.max(blocksEndMs, cutMs);
      if (isKilledBetween) {
        kill();
      } else if (cutMs > Long.MIN_VALUE) {
        Samples before = samples(head);
        assertThat(head.cutTo(cutMs, 0)).isTrue();
        Samples.check(samples(head), before.without(written));
      }
    }

    void delete() throws IOException {
      long min = now - random.nextInt((int) (100 * MINUTE));
      long max =
          random.nextInt(4) == 0 ? Long.MAX_VALUE : min + random.nextInt((int) (50 * MINUTE));
      String name = "v" + random.nextInt(12);
      Samples before = samples(head);
      log.add("delete " + name + " " + (min - START) + " " + (max - START));
      head.delete(List.of(new Matcher(Matcher.Type.EQUAL, "__name__", name)), min, max);
      String labels = Labels.of("__name__", name, "x", "y").toString();
      before.computeIfPresent(
          labels,
          (key, samples) -> {
            samples.keySet().removeIf(t -> min <= t && t <= max);
            return samples;
          });
      Samples.check(samples(head), before);
      remember();
    }

    void check() {
      Samples seen = new Samples();
      seen.putAll(blocks);
      seen.putAll(samples(head));
      Samples.check(seen, expected);
    }
  }

  @Test
  void randomWork_survivesKills() throws IOException {
    for (long seed = 0; seed < Integer.getInteger("inferometer.seeds", 12); seed++) {
      Run run = new Run(seed);
      try {
        for (int step = 0; step < 60; step++) {
          switch (run.random.nextInt(12)) {
            case 0 -> run.kill();
            case 1 -> run.head.mapFullChunks();
            case 2 -> run.attempt(run::delete);
            case 3 -> run.attempt(() -> run.cut(run.random.nextInt(4) == 0));
            case 4 -> run.attempt(() -> run.head.maintain(run.now));
            case 5 -> {
              if (run.random.nextInt(3) == 0) {
                run.fail();
              }
            }
            default -> run.batches();
          }
          run.check();
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + " " + run.log, e);
      }
    }
  }
}
