package org.inferometer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.StalenessMarker;
import org.junit.jupiter.api.Test;

class MemorySeriesTest {
  private static final Labels UP_A = Labels.of("__name__", "up", "instance", "a");
  private static final Labels UP_B = Labels.of("__name__", "up", "instance", "b");

  private final MemorySeries series = new MemorySeries();

  private static List<Labels> labels(List<Series> selected) {
    return selected.stream().map(Series::labels).toList();
  }

  @Test
  void select_isSortedAndMatched() {
    series.add(UP_B, 1, 1);
    series.add(UP_A, 1, 1);
    series.add(Labels.of("__name__", "down"), 1, 1);
    try (Querier querier = series.querier(0, 10)) {
      assertThat(labels(querier.select(List.of(Matcher.equal("__name__", "up")))))
          .containsExactly(UP_A, UP_B);
      assertThat(labels(querier.select(List.of(Matcher.equal("instance", "")))))
          .containsExactly(Labels.of("__name__", "down"));
    }
  }

  @Test
  void select_leavesOutSeriesWithoutSampleInTheStretch() {
    series.add(UP_A, 5, 1);
    series.add(UP_A, 20, 1);
    series.add(UP_B, 10, 1);
    try (Querier querier = series.querier(6, 19)) {
      assertThat(labels(querier.select(List.of()))).containsExactly(UP_B);
      assertThat(querier.labelNames(List.of())).containsExactly("__name__", "instance");
      assertThat(querier.labelValues("instance", List.of())).containsExactly("b");
      assertThat(querier.labelValues("job", List.of())).isEmpty();
    }
  }

  @Test
  void read_keepsToTheStretchAndAppends() {
    for (int t = 0; t < 10; t++) {
      series.add(UP_A, t, t);
    }
    SampleColumns columns = new SampleColumns(1);
    columns.add(-1, -1);
    try (Querier querier = series.querier(2, 8)) {
      querier.select(List.of()).getFirst().read(0, 4, columns);
    }
    assertThat(Arrays.copyOf(columns.timestampsMs(), columns.size())).containsExactly(-1, 2, 3, 4);
  }

  @Test
  void add_keepsStalenessMarkers() {
    series.add(UP_A, 1, StalenessMarker.VALUE);
    SampleColumns columns = new SampleColumns();
    series.querier(0, 1).select(List.of()).getFirst().read(0, 1, columns);
    assertThat(StalenessMarker.is(columns.value(0))).isTrue();
  }

  @Test
  void add_inAnyOrderEndsSortedAndTheLastWins() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      MemorySeries many = new MemorySeries();
      TreeMap<Long, Double> expected = new TreeMap<>();
      for (int i = 0; i < 200; i++) {
        long t = random.nextInt(100);
        many.add(UP_A, t, i);
        expected.put(t, (double) i);
      }
      SampleColumns columns = new SampleColumns();
      many.querier(0, 100).select(List.of()).getFirst().read(0, 100, columns);
      TreeMap<Long, Double> actual = new TreeMap<>();
      for (int i = 0; i < columns.size(); i++) {
        actual.put(columns.timestampMs(i), columns.value(i));
      }
      assertThat(columns.size()).as("seed " + seed).isEqualTo(expected.size());
      assertThat(actual).as("seed " + seed).isEqualTo(expected);
    }
  }
}
