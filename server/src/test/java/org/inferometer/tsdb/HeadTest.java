package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.junit.jupiter.api.Test;

class HeadTest {
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private static final long START = 1_700_000_000_000L;
  private static final Labels UP = Labels.of("__name__", "up", "job", "vllm");

  private long now = START;
  private final HeadOptions options = HeadOptions.defaults().withBytesMax(64 << 20);
  private final Head head = new Head(options, () -> now);

  private static List<AppendOutcome> append(
      Head head, Labels labels, long timestampMs, double... values) {
    Appender appender = head.appender();
    long ref = appender.series(labels);
    List<AppendOutcome> outcomes = new ArrayList<>();
    for (double value : values) {
      outcomes.add(appender.append(ref, timestampMs, value));
    }
    appender.commit();
    return outcomes;
  }

  private AppendOutcome append(long timestampMs, double value) {
    return append(head, UP, timestampMs, value).getFirst();
  }

  private static List<String> read(Head head, Matcher... matchers) {
    List<String> lines = new ArrayList<>();
    SampleColumns columns = new SampleColumns();
    try (Querier querier = head.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      for (Series series : querier.select(List.of(matchers))) {
        columns.clear();
        series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
        StringBuilder line = new StringBuilder(series.labels().toString());
        for (int i = 0; i < columns.size(); i++) {
          line.append(' ').append(columns.timestampMs(i) - START).append(':');
          line.append(columns.value(i));
        }
        lines.add(line.toString());
      }
    }
    return lines;
  }

  private long rejected(AppendOutcome outcome) {
    return head.stats().samples(outcome);
  }

  @Test
  void commit_makesTheBatchVisible() {
    Appender appender = head.appender();
    long ref = appender.series(UP);
    assertThat(appender.append(ref, START, 1)).isEqualTo(AppendOutcome.ACCEPTED);
    assertThat(read(head)).isEmpty();
    assertThat(head.querier(0, START).labelNames(List.of())).isEmpty();
    appender.commit();
    assertThat(read(head)).containsExactly("up{job=\"vllm\"} 0:1.0");
    assertThatThrownBy(appender::commit).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void rollback_leavesNothing() {
    Appender appender = head.appender();
    appender.append(appender.series(UP), START, 1);
    appender.rollback();
    assertThat(read(head)).isEmpty();
    head.maintain(now);
    assertThat(head.stats().series()).isZero();
    assertThat(head.stats().labelPairs()).isZero();
    assertThat(head.stats().bytes()).isZero();
  }

  @Test
  void append_comparesWithWhatIsCommitted() {
    append(START, 1);
    assertThat(append(START, 1)).isEqualTo(AppendOutcome.SAME);
    assertThat(append(START, 2)).isEqualTo(AppendOutcome.DUPLICATE);
    assertThat(append(START - 1, 2)).isEqualTo(AppendOutcome.ACCEPTED);
    assertThat(append(START - 1, 2)).isEqualTo(AppendOutcome.SAME);
    assertThat(append(START - 5 * MINUTE, 3)).isEqualTo(AppendOutcome.ACCEPTED);
    assertThat(append(START - 5 * MINUTE - 1, 3)).isEqualTo(AppendOutcome.TOO_OLD);
    assertThat(append(START + 10 * MINUTE, 4)).isEqualTo(AppendOutcome.ACCEPTED);
    assertThat(append(START + 10 * MINUTE + 1, 4)).isEqualTo(AppendOutcome.OUT_OF_BOUNDS);
    assertThat(append(START - 6 * HOUR - 1, 4)).isEqualTo(AppendOutcome.OUT_OF_BOUNDS);
    assertThat(append(Long.MIN_VALUE, 4)).isEqualTo(AppendOutcome.OUT_OF_BOUNDS);
    assertThat(append(Long.MAX_VALUE, 4)).isEqualTo(AppendOutcome.OUT_OF_BOUNDS);
    assertThat(rejected(AppendOutcome.OUT_OF_BOUNDS)).isEqualTo(4);
    assertThat(rejected(AppendOutcome.ACCEPTED)).isEqualTo(4);
    assertThat(read(head)).containsExactly("up{job=\"vllm\"} -300000:3.0 -1:2.0 0:1.0 600000:4.0");
  }

  @Test
  void append_comparesWithThePendingOnes() {
    assertThat(append(head, UP, START, 1, 1, 2))
        .containsExactly(AppendOutcome.ACCEPTED, AppendOutcome.SAME, AppendOutcome.DUPLICATE);
    Appender appender = head.appender();
    long ref = appender.series(UP);
    assertThat(appender.append(ref, START + 9 * MINUTE, 1)).isEqualTo(AppendOutcome.ACCEPTED);
    assertThat(appender.append(ref, START + 2 * MINUTE, 1)).isEqualTo(AppendOutcome.TOO_OLD);
    assertThat(appender.append(ref, START + 5 * MINUTE, 1)).isEqualTo(AppendOutcome.ACCEPTED);
    appender.commit();
    assertThat(read(head)).containsExactly("up{job=\"vllm\"} 0:1.0 300000:1.0 540000:1.0");
  }

  @Test
  void append_withoutAWindowRefusesWhatIsOlder() {
    Head strict = new Head(options.withOutOfOrderWindowMs(0), () -> now);
    append(strict, UP, START, 1);
    assertThat(append(strict, UP, START - 1, 1)).containsExactly(AppendOutcome.OUT_OF_ORDER);
    assertThat(append(strict, UP, START, 1)).containsExactly(AppendOutcome.SAME);
  }

  @Test
  void append_comparesNansByBits() {
    append(START, StalenessMarker.VALUE);
    assertThat(append(START, StalenessMarker.VALUE)).isEqualTo(AppendOutcome.SAME);
    assertThat(append(START, StalenessMarker.NORMAL_NAN)).isEqualTo(AppendOutcome.DUPLICATE);
  }

  @Test
  void commit_ofTwoAppendersWithOneSampleKeepsTheFirst() {
    Appender a = head.appender();
    Appender b = head.appender();
    a.append(a.series(UP), START, 1);
    b.append(b.series(UP), START, 2);
    b.commit();
    a.commit();
    assertThat(read(head)).containsExactly("up{job=\"vllm\"} 0:2.0");
    assertThat(rejected(AppendOutcome.DUPLICATE)).isEqualTo(1);
    assertThat(rejected(AppendOutcome.ACCEPTED)).isEqualTo(1);
  }

  @Test
  void append_toWhatIsNoReference() {
    Appender appender = head.appender();
    for (long ref : new long[] {0, -1, 1, 77, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32}) {
      assertThat(appender.append(ref, START, 1)).isEqualTo(AppendOutcome.UNKNOWN_SERIES);
    }
    appender.rollback();
  }

  @Test
  void maintain_dropsWhatIsPastRetentionAndItsSeries() {
    Appender appender = head.appender();
    long ref = appender.series(UP);
    appender.append(ref, START, 1);
    appender.commit();
    now += 7 * HOUR;
    head.maintain(now);
    assertThat(read(head)).as("the newest sample counts, not the clock").hasSize(1);
    append(head, Labels.of("__name__", "other"), now, 1);
    head.maintain(now);
    assertThat(read(head)).containsExactly("other 25200000:1.0");
    assertThat(head.stats().seriesRemoved()).isEqualTo(1);
    Appender late = head.appender();
    assertThat(late.append(ref, now, 1)).isEqualTo(AppendOutcome.UNKNOWN_SERIES);
    assertThat(late.series(UP)).isNotEqualTo(ref);
    late.rollback();
  }

  @Test
  void maintain_keepsSeriesThatAnAppenderHolds() {
    Appender appender = head.appender();
    appender.append(appender.series(UP), START, 1);
    head.maintain(now);
    appender.commit();
    assertThat(read(head)).hasSize(1);
  }

  @Test
  void maintain_chunksGoAsWholes() {
    for (int i = 0; i < 6 * 60 * 4; i++, now += 15_000) {
      append(now, i);
    }
    long chunks = head.stats().chunks();
    now += 3 * HOUR;
    append(now, 1);
    head.maintain(now);
    assertThat(head.stats().chunks()).isBetween(chunks / 2 - 1, chunks / 2 + 2);
    assertThat(head.stats().minMs()).isBetween(now - 6 * HOUR - 31 * MINUTE, now - 6 * HOUR);
  }

  @Test
  void maintain_healsAfterTheClockWasAhead() {
    append(START, 1);
    now = START + HOUR;
    for (int i = 0; i < 500; i++) {
      append(now + i, i);
    }
    now = START + 15_000;
    assertThat(append(now, 2)).isEqualTo(AppendOutcome.TOO_OLD);
    head.maintain(now);
    assertThat(append(now, 2)).isEqualTo(AppendOutcome.ACCEPTED);
    assertThat(read(head)).containsExactly("up{job=\"vllm\"} 0:1.0 15000:2.0");
    assertThat(head.stats().chunks()).isEqualTo(1);
    assertThat(head.stats().maxMs()).isEqualTo(now);
  }

  @Test
  void querier_staysAsItWas() {
    Labels other = Labels.of("__name__", "other");
    append(START, 1);
    try (Querier querier = head.querier(START - 10 * HOUR, START + HOUR)) {
      for (int i = 1; i < 400; i++) {
        append(head, UP, START + i, i);
      }
      append(head, other, START, 1);
      List<Series> selected = querier.select(List.of());
      assertThat(selected).hasSize(1);
      SampleColumns columns = new SampleColumns();
      selected.getFirst().read(0, Long.MAX_VALUE, columns);
      assertThat(columns.size()).as("of 400 samples, over chunks").isLessThanOrEqualTo(400);
      assertThat(columns.timestampMs(0)).isEqualTo(START);
    }
    assertThat(read(head)).hasSize(2);
  }

  @Test
  void querier_seesWholeBatchesInEverySelect() {
    Labels a = Labels.of("__name__", "a");
    Labels b = Labels.of("__name__", "b");
    append(head, a, START, 1);
    append(head, b, START, 1);
    try (Querier querier = head.querier(START, START + HOUR)) {
      List<Series> first = querier.select(List.of(Matcher.equal("__name__", "a")));
      append(head, a, START + 1, 2);
      append(head, b, START + 1, 2);
      List<Series> second = querier.select(List.of(Matcher.equal("__name__", "b")));
      SampleColumns columns = new SampleColumns();
      first.getFirst().read(0, Long.MAX_VALUE, columns);
      second.getFirst().read(0, Long.MAX_VALUE, columns);
      assertThat(columns.size()).isEqualTo(2);
    }
  }

  @Test
  void querier_heldOverDropsReadsWhatItSelected() {
    append(START, 1);
    try (Querier querier = head.querier(START, START)) {
      Series series = querier.select(List.of()).getFirst();
      now += 20 * HOUR;
      append(head, Labels.of("__name__", "other"), now, 1);
      head.maintain(now);
      assertThat(head.stats().series()).isEqualTo(1);
      SampleColumns columns = new SampleColumns();
      series.read(START, START, columns);
      assertThat(columns.size()).isEqualTo(1);
    }
  }

  @Test
  void series_beyondTheLimitAreRefusedWithoutHarm() {
    Head small = new Head(options.withSeriesMax(1_000), () -> now);
    Appender appender = small.appender();
    int refused = 0;
    for (int i = 0; i < 1_000_000; i++) {
      long ref = appender.series(Labels.of("__name__", "x", "i", Integer.toString(i)));
      if (ref == Appender.NO_SERIES) {
        refused++;
      } else {
        appender.append(ref, now, 1);
      }
    }
    appender.commit();
    assertThat(refused).isEqualTo(999_000);
    assertThat(small.stats().seriesRefused()).isEqualTo(999_000);
    assertThat(small.stats().series()).isEqualTo(1_000);
    assertThat(append(small, Labels.of("__name__", "x", "i", "7"), now + 1, 1))
        .containsExactly(AppendOutcome.ACCEPTED);
  }

  @Test
  void labelValues_thatAreHugeCount() {
    Appender appender = head.appender();
    int refused = 0;
    for (int i = 0; i < 100; i++) {
      long ref = appender.series(Labels.of("__name__", "x", "huge", i + "v".repeat(1 << 20)));
      refused += ref == Appender.NO_SERIES ? 1 : 0;
      appender.append(ref, now, 1);
    }
    appender.commit();
    assertThat(refused).isBetween(36, 38);
    assertThat(head.stats().bytes()).isLessThanOrEqualTo(64 << 20);
    append(head, UP, now, 1);
    assertThat(read(head, Matcher.equal("job", "vllm"))).hasSize(1);
    now += 10 * MINUTE;
    append(head, UP, now, 1);
    // With the samples old enough, the next one makes room at once.
    head.maintain(now);
    assertThat(append(head, Labels.of("huge", "w".repeat(30 << 20)), now, 1))
        .containsExactly(AppendOutcome.ACCEPTED);
  }

  @Test
  void bytes_reachTheirLimitAndTheOldestGo() {
    Head small = new Head(options.withBytesMax(200_000), () -> now);
    Random random = new Random(5);
    for (int i = 0; i < 3_000; i++, now += 15_000) {
      Appender appender = small.appender();
      for (int s = 0; s < 20; s++) {
        long ref = appender.series(Labels.of("__name__", "x", "s", Integer.toString(s)));
        assertThat(appender.append(ref, now, random.nextDouble()))
            .isEqualTo(AppendOutcome.ACCEPTED);
      }
      appender.commit();
      assertThat(small.stats().bytes()).isLessThanOrEqualTo(200_000);
    }
    HeadStats stats = small.stats();
    assertThat(stats.roomDrops()).isBetween(5L, 100L);
    assertThat(stats.keptFromMs()).isLessThan(now - 30 * MINUTE);
    assertThat(stats.minMs()).isGreaterThanOrEqualTo(now - 6 * HOUR);
    assertThat(stats.isFull()).isFalse();
    assertThat(read(small)).hasSize(20);
    assertThat(append(small, UP, stats.keptFromMs() - 1, 1))
        .containsExactly(AppendOutcome.OUT_OF_BOUNDS);
  }

  @Test
  void bytes_thatCantBeFreedRefuseSamplesUntilTheyAreOld() {
    Head small = new Head(options.withBytesMax(300_000), () -> now);
    AppendOutcome last = AppendOutcome.ACCEPTED;
    for (int i = 0; i < 5_000; i++, now += 10) {
      List<AppendOutcome> outcomes =
          append(small, Labels.of("__name__", "x", "i", Integer.toString(i)), now, i);
      last = outcomes.getFirst();
    }
    assertThat(last).isIn(AppendOutcome.UNKNOWN_SERIES, AppendOutcome.NO_ROOM);
    assertThat(small.stats().bytes()).isLessThan(310_000);
    assertThat(small.stats().seriesRefused()).isGreaterThan(3_000);
    now += 30 * MINUTE;
    append(small, Labels.of("__name__", "x", "i", "1"), now, 1);
    small.maintain(now);
    assertThat(append(small, UP, now, 1)).containsExactly(AppendOutcome.ACCEPTED);
  }

  @Test
  void bytes_returnToZeroWhenAllIsGone() {
    for (int i = 0; i < 2_000; i++, now += 1_000) {
      append(head, Labels.of("__name__", "x", "i", Integer.toString(i / 7)), now, i);
      append(head, Labels.of("__name__", "x", "i", Integer.toString(i % 3)), now - i % 200, i);
    }
    assertThat(head.stats().bytes()).isGreaterThan(10_000);
    // A lone sample far ahead makes everything else old, and then the clock turns out to be wrong.
    now += 10 * HOUR;
    append(now, 1);
    head.maintain(now);
    now -= 10 * HOUR;
    head.maintain(now);
    assertThat(head.stats().bytes()).isZero();
    assertThat(head.stats().chunks()).isZero();
    assertThat(head.stats().series()).isZero();
    assertThat(head.stats().minMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void cardinality_namesTheLargest() {
    for (int i = 0; i < 30; i++) {
      append(head, Labels.of("__name__", i < 20 ? "a" : "b", "i", Integer.toString(i)), now, i);
    }
    HeadCardinality cardinality = head.cardinality(2);
    assertThat(cardinality.seriesByMetric().toString())
        .isEqualTo("[Count[name=a, count=20], Count[name=b, count=10]]");
    assertThat(cardinality.valuesByLabel().getFirst().name()).isEqualTo("i");
    assertThat(cardinality.valueBytesByLabel().toString())
        .isEqualTo("[Count[name=i, count=50], Count[name=__name__, count=30]]");
    assertThat(cardinality.seriesByPair()).hasSize(2);
  }
}
