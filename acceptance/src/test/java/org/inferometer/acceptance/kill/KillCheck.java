package org.inferometer.acceptance.kill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.io.Disk;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService.RangeQuery;
import org.inferometer.query.differential.Outcome;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.time.Ticker;
import org.inferometer.tsdb.Store;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a data directory holds what was acknowledged, bit for bit and once, nothing that
 * was never written, and answers queries as a store in memory does that was fed the same.
 */
final class KillCheck {
  private static final int WRONG_MAX = 5;

  /** Blocks are removed when the newest sample in them is too old, and looked at now and then. */
  private static final long KEPT_LONGER_MS = 2 * KillLoad.BLOCK_MS_MAX;

  private static final List<String> QUERIES =
      List.of(
          "sum by (instance) (rate(counter_total[30s]))",
          "histogram_quantile(0.9, sum(rate(latency{n=\"0\"}[30s])))",
          "histogram_count(latency{n=\"2\"})",
          "count by (visit) (visitor)",
          "count_over_time(late[1m])",
          "max_over_time(gauge{n=~\"[4-7]\"}[20s])",
          "sum(last_over_time({job=\"kill\",n=\"3\"}[10s]))",
          "topk(3, increase(counter_total{n!~\"1.*\"}[1m]))");

  private final Path folder;
  private final KillModel model;
  private final List<String> wrong = new ArrayList<>();
  private final MemorySeries expectedSeries = new MemorySeries();

  /** A sample that must be there, or may be. */
  private record Expected(KillLoad.Entry entry, boolean sure) {}

  KillCheck(Path folder, KillModel model) {
    this.folder = folder;
    this.model = model;
  }

  /**
   * @return what is wrong, nothing if all is well
   */
  List<String> run(boolean readOnly) throws IOException {
    long newestMs = KillLoad.timeMs(model.newest());
    List<String> log = new ArrayList<>();
    try (Store store =
        Store.open(KillChild.options(folder, readOnly), Disk.real(), () -> newestMs, log::add)) {
      samples(store, newestMs);
      if (wrong.isEmpty()) {
        queries(store, newestMs);
      }
    }
    corruptFolders();
    if (!wrong.isEmpty()) {
      wrong.add("opened " + (readOnly ? "read only" : "to write") + ", which said: " + log);
      wrong.add("acknowledged: " + model);
    }
    return wrong;
  }

  private void wrong(String what) {
    if (wrong.size() < WRONG_MAX) {
      wrong.add(what);
    }
  }

  /** A kill leaves half a write at most, which no block is made of. */
  private void corruptFolders() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      files.filter(f -> f.toString().contains(".corrupt")).forEach(f -> wrong("there is " + f));
    }
  }

  private void samples(Queryable store, long newestMs) {
    long keptFromMs = newestMs - KillLoad.RETENTION_MS + KillLoad.BLOCK_MS;
    Map<Labels, List<Expected>> expected = expected(newestMs, keptFromMs);
    try (Querier querier = store.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      SampleColumns found = new SampleColumns();
      Labels last = Labels.EMPTY;
      for (Series series : querier.select(List.of())) {
        if (series.labels().compareTo(last) <= 0) {
          wrong(series.labels() + " follows " + last + ": not in order, or twice");
        }
        last = series.labels();
        found.clear();
        series.read(Long.MIN_VALUE, Long.MAX_VALUE, found);
        List<Expected> samples = expected.remove(series.labels());
        compare(series.labels(), samples == null ? List.of() : samples, found);
      }
      querier.warnings().forEach(this::wrong);
    }
    expected.forEach((labels, samples) -> compare(labels, samples, new SampleColumns()));
  }

  private Map<Labels, List<Expected>> expected(long newestMs, long keptFromMs) {
    Map<Labels, List<Expected>> expected = new HashMap<>();
    int first = KillLoad.tickAt(newestMs - KillLoad.RETENTION_MS - KEPT_LONGER_MS);
    for (int tick = first; tick <= model.newest() + KillRun.GAP_TICKS; tick++) {
      for (int writer = 0; writer < KillLoad.WRITERS; writer++) {
        boolean acknowledged = model.isAcknowledged(writer, tick);
        if (acknowledged || model.isUncertain(writer, tick)) {
          for (KillLoad.Entry entry : KillLoad.batch(writer, tick)) {
            boolean sure = acknowledged && entry.timestampMs() >= keptFromMs;
            expected
                .computeIfAbsent(entry.labels(), l -> new ArrayList<>())
                .add(new Expected(entry, sure));
          }
        }
      }
    }
    expected.values().forEach(s -> s.sort(Comparator.comparingLong(e -> e.entry().timestampMs())));
    return expected;
  }

  private void compare(Labels labels, List<Expected> expected, SampleColumns found) {
    int at = 0;
    for (Expected one : expected) {
      long time = one.entry().timestampMs();
      while (at < found.size() && found.timestampMs(at) < time) {
        wrong(labels + " has a sample at " + found.timestampMs(at) + " that was never written");
        at++;
      }
      if (at == found.size() || found.timestampMs(at) > time) {
        if (one.sure()) {
          wrong(labels + " has lost its sample at " + time + ", tick " + KillLoad.tickAt(time));
        }
        continue;
      }
      if (!isSame(one.entry(), found, at)) {
        wrong(
            "%s at %d: expected %s, found %s %s"
                .formatted(labels, time, one.entry(), found.value(at), found.histogram(at)));
      }
      keep(one.entry());
      at++;
    }
    for (; at < found.size(); at++) {
      wrong(labels + " has a sample at " + found.timestampMs(at) + " too many");
    }
  }

  private static boolean isSame(KillLoad.Entry entry, SampleColumns found, int at) {
    NativeHistogram expected = entry.histogram();
    @Nullable NativeHistogram there = found.histogram(at);
    if (expected == null || there == null) {
      return expected == null
          && there == null
          && Double.doubleToRawLongBits(entry.value())
              == Double.doubleToRawLongBits(found.value(at));
    }
    // Whether a counter was reset since its neighbour is for the store to say.
    ResetHint hint = expected.isGauge() ? ResetHint.GAUGE : ResetHint.UNKNOWN;
    return expected.isGauge() == there.isGauge()
        && expected.withHint(hint).equals(there.withHint(hint));
  }

  private void keep(KillLoad.Entry entry) {
    NativeHistogram histogram = entry.histogram();
    if (histogram == null) {
      expectedSeries.add(entry.labels(), entry.timestampMs(), entry.value());
    } else {
      expectedSeries.add(entry.labels(), entry.timestampMs(), histogram);
    }
  }

  private void queries(Queryable store, long newestMs) {
    LocalQueryService theirs = service(expectedSeries);
    LocalQueryService ours = service(store);
    long startMs = Math.max(KillLoad.START_MS, newestMs - 10 * KillLoad.BLOCK_MS);
    for (String query : QUERIES) {
      RangeQuery range = new RangeQuery(query, startMs, newestMs, 7_000);
      try {
        Outcome expected = Outcome.of(theirs.range(range).value());
        Outcome found = Outcome.of(ours.range(range).value());
        String difference = Outcome.difference(expected, found, 0);
        if (difference != null) {
          wrong(query + ": " + difference);
        }
      } catch (QueryException e) {
        wrong(query + ": " + e.getMessage());
      }
    }
  }

  private static LocalQueryService service(Queryable store) {
    return new LocalQueryService(
        store, MetadataSource.none(), EngineOptions.DEFAULT, Ticker.system());
  }
}
