package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.chunk.RandomHistograms;
import org.junit.jupiter.api.Test;

class MergedQuerierTest {
  private static final Matcher ALL = new Matcher(Matcher.Type.REGEX, "__name__", ".*");

  private static Labels labels(int number) {
    return Labels.of("__name__", "m" + number % 3, "i", "v" + number);
  }

  private static MergedQuerier merged(long fromMs, long toMs, List<MemorySeries> sources) {
    return new MergedQuerier(
        sources.stream().map(source -> source.querier(fromMs, toMs)).toList(), () -> {});
  }

  /** What is stored, hints left out: they may tell less than the model knows. */
  static String dump(Querier querier, List<Matcher> matchers, long fromMs, long toMs) {
    StringBuilder out = new StringBuilder();
    SampleColumns columns = new SampleColumns();
    columns.add(Long.MAX_VALUE, 1); // what is there already isn't touched
    for (Series series : querier.select(matchers)) {
      columns.resize(1);
      series.read(fromMs, toMs, columns);
      out.append(series.labels());
      for (int i = 1; i < columns.size(); i++) {
        NativeHistogram h = columns.histogram(i);
        out.append(' ').append(columns.timestampMs(i)).append(':');
        out.append(
            h == null
                ? Long.toHexString(Double.doubleToRawLongBits(columns.value(i)))
                : h.compact().withHint(ResetHint.UNKNOWN));
      }
      out.append('\n');
    }
    return out.toString();
  }

  @Test
  void sources_thatOverlapAnyhow_areAsOne() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<MemorySeries> sources =
          Stream.generate(MemorySeries::new).limit(1 + random.nextInt(5)).toList();
      MemorySeries model = new MemorySeries();
      RandomHistograms histograms = new RandomHistograms(random);
      for (int i = random.nextInt(200); i > 0; i--) {
        Labels labels = labels(random.nextInt(6));
        long t = random.nextInt(100);
        if (random.nextInt(10) == 0) {
          NativeHistogram histogram = histograms.next();
          add(sources, model, random, s -> s.add(labels, t, histogram));
        } else {
          double value = random.nextInt(5);
          add(sources, model, random, s -> s.add(labels, t, value));
        }
      }
      long from = random.nextInt(60);
      long to = from + random.nextInt(60);
      Querier merged = merged(from, to, List.of(model));
      Querier one = model.querier(from, to);
      assertThat(dump(merged, List.of(ALL), 0, 100))
          .as("seed " + seed)
          .isEqualTo(dump(one, List.of(ALL), 0, 100));
      try (MergedQuerier many = merged(from, to, sources)) {
        assertThat(dump(many, List.of(ALL), 0, 100))
            .as("seed " + seed)
            .isEqualTo(dump(one, List.of(ALL), 0, 100));
        assertThat(many.labelNames(List.of())).isEqualTo(one.labelNames(List.of()));
        assertThat(many.labelValues("i", List.of(ALL)))
            .isEqualTo(one.labelValues("i", List.of(ALL)));
      }
    }
  }

  /** Adds to the first source, which wins, and some more. */
  private static void add(
      List<MemorySeries> sources,
      MemorySeries model,
      Random random,
      java.util.function.Consumer<MemorySeries> sample) {
    sources.subList(0, random.nextInt(sources.size()) + 1).forEach(sample);
    sample.accept(model);
  }

  @Test
  void equalTimes_theFirstSourceCounts() {
    MemorySeries a = new MemorySeries();
    MemorySeries b = new MemorySeries();
    a.add(labels(1), 10, 1);
    b.add(labels(1), 10, 2);
    b.add(labels(1), 5, 3);
    SampleColumns columns = new SampleColumns();
    merged(0, 100, List.of(a, b)).select(List.of(ALL)).getFirst().read(0, 100, columns);
    assertThat(columns.size()).isEqualTo(2);
    assertThat(columns.value(0)).isEqualTo(3);
    assertThat(columns.value(1)).isEqualTo(1);
  }

  @Test
  void hints_areForgottenWhereAnotherSourceBegins() {
    MemorySeries a = new MemorySeries();
    MemorySeries b = new MemorySeries();
    RandomHistograms histograms = new RandomHistograms(new Random(1));
    NativeHistogram histogram = histograms.next().withHint(ResetHint.UNKNOWN);
    for (int t = 0; t < 6; t++) {
      (t < 3 ? a : b).add(labels(1), t, histogram);
      b.add(labels(2), 10 + t, histogram);
      a.add(labels(2), t == 0 ? 1 : 12, histogram);
    }
    List<Series> selected = merged(0, 100, List.of(a, b)).select(List.of(ALL));
    assertThat(hints(selected.get(0)))
        .containsExactly(
            ResetHint.UNKNOWN, // nothing before
            ResetHint.NOT_RESET,
            ResetHint.NOT_RESET,
            ResetHint.UNKNOWN, // the first of b
            ResetHint.NOT_RESET,
            ResetHint.NOT_RESET);
    assertThat(hints(selected.get(1)))
        .containsExactly(
            ResetHint.UNKNOWN, // a's
            ResetHint.UNKNOWN, // b's: 10, 11
            ResetHint.NOT_RESET,
            ResetHint.UNKNOWN, // a's, which is in b as well
            ResetHint.UNKNOWN, // b's: 13, 14, 15
            ResetHint.NOT_RESET,
            ResetHint.NOT_RESET);
  }

  private static List<ResetHint> hints(Series series) {
    SampleColumns columns = new SampleColumns();
    series.read(0, 100, columns);
    List<ResetHint> hints = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      NativeHistogram histogram = columns.histogram(i);
      hints.add(histogram == null ? ResetHint.UNKNOWN : histogram.resetHint());
    }
    return hints;
  }

  @Test
  void close_closesSourcesOnce() {
    AtomicInteger closed = new AtomicInteger();
    MergedQuerier querier =
        new MergedQuerier(List.of(new MemorySeries().querier(0, 1)), closed::incrementAndGet);
    querier.close();
    querier.close();
    assertThat(closed).hasValue(1);
  }
}
