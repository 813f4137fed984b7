package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.wal.WalOptions;
import org.junit.jupiter.api.Test;

/** Times, labels and numbers of series that nobody wishes for. */
class StoreExtremesTest {
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private static final Path FOLDER = Path.of("/data");
  private static final long HEAD_BYTES_MAX = 6_000_000;
  private static final long START = 2 * HOUR * 240_000;

  private final SimulatedDisk disk = new SimulatedDisk(1);
  private final List<String> told = new ArrayList<>();
  private HeadOptions head = HeadOptions.defaults().withRetentionMs(48 * HOUR);
  private long now = START;
  private Store store = open(disk);

  private Store open(SimulatedDisk from) {
    StoreOptions options =
        new StoreOptions(
            FOLDER, false, 48 * HOUR, 0, 2 * HOUR, 18 * HOUR, head, new WalOptions(1 << 20, true));
    return Store.open(options, from, () -> now, told::add, new SplittableRandom(1));
  }

  private static Labels labels(String name) {
    return Labels.of("__name__", name);
  }

  private AppendOutcome append(Labels labels, long timestampMs, double value) {
    Appender appender = store.appender();
    AppendOutcome outcome = appender.append(appender.series(labels), timestampMs, value);
    appender.commit();
    return outcome;
  }

  private void scrapeFor(long ms, String name) {
    for (long end = now + ms; now < end; now += MINUTE) {
      assertThat(append(labels(name), now, (double) now))
          .as("" + (now - START))
          .isEqualTo(ACCEPTED);
      store.maintain(now);
    }
  }

  private static final AppendOutcome ACCEPTED = AppendOutcome.ACCEPTED;

  private static SampleColumns read(Store from, Matcher matcher) {
    SampleColumns columns = new SampleColumns();
    try (Querier querier = from.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      for (Series series : querier.select(List.of(matcher))) {
        series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      }
      assertThat(querier.warnings()).isEmpty();
    }
    return columns;
  }

  private long count(Store from, String name) {
    return read(from, Matcher.equal("__name__", name)).size();
  }

  /** What a process finds that is started after this one was killed. */
  private Store afterKill() {
    return open(disk.processKill());
  }

  @Test
  void clockThatJumpsAheadAndBack_costsNothingThatWasThere() {
    scrapeFor(5 * HOUR, "m");
    for (long jump : new long[] {20 * MINUTE, 3 * HOUR, 24 * HOUR}) {
      now += jump;
      store.maintain(now);
      assertThat(append(labels("m"), now, 1)).isEqualTo(ACCEPTED);
      store.maintain(now);
      now -= jump;
      int refused = 0;
      for (int minutes = 0; minutes < 10; minutes++) {
        refused += append(labels("m"), now, (double) now).isRejection() ? 1 : 0;
        store.maintain(now);
        now += MINUTE;
      }
      assertThat(refused).isLessThanOrEqualTo(4);
    }
    // What was there, and what came with the right time.
    assertThat(count(store, "m")).isGreaterThanOrEqualTo(5L * 60 + 20);
    assertThat(count(afterKill(), "m")).isEqualTo(count(store, "m"));
    assertThat(store.stats().trouble()).isEmpty();
  }

  @Test
  void clockThatJumpsBack_takesSamplesAgainWhenItIsThereAgain() {
    scrapeFor(3 * HOUR, "m");
    now -= HOUR;
    assertThat(append(labels("m"), now, 1).isRejection()).isTrue();
    assertThat(append(labels("other"), now, 1).isRejection()).isFalse();
    store.maintain(now);
    now += HOUR + MINUTE;
    scrapeFor(HOUR, "m");
    assertThat(count(store, "m")).isEqualTo(240);
  }

  @Test
  void targetAnHourAhead_isRefusedAndHarmsNobody() {
    for (int i = 0; i < 5 * 60; i++) {
      assertThat(append(labels("ahead"), now + HOUR, i)).isEqualTo(AppendOutcome.OUT_OF_BOUNDS);
      assertThat(append(labels("bit"), now + 9 * MINUTE, i)).isEqualTo(ACCEPTED);
      assertThat(append(labels("m"), now, i)).isEqualTo(ACCEPTED);
      store.maintain(now);
      now += MINUTE;
    }
    assertThat(count(store, "m")).isEqualTo(300);
    assertThat(count(store, "bit")).isEqualTo(300);
    assertThat(count(store, "ahead")).isZero();
    assertThat(store.blocks()).isNotEmpty();
    assertThat(count(afterKill(), "bit")).isEqualTo(300);
  }

  @Test
  void hoursWithoutAnySample_areAGap() {
    for (int i = 0; i < 3; i++) {
      scrapeFor(2 * HOUR, "m");
      for (int minutes = 0; minutes < 150; minutes++) {
        now += MINUTE;
        store.maintain(now);
      }
    }
    scrapeFor(4 * HOUR, "m");
    assertThat(count(store, "m")).isEqualTo(600);
    assertThat(store.blocks().size()).isPositive();
    store.close();
    assertThat(count(open(disk), "m")).isEqualTo(600);
    assertThat(told).isEmpty();
  }

  @Test
  void labelValueOfAMegabyte_isKept() {
    String value = "v".repeat(500_000) + "w\u00fc".repeat(250_000);
    Labels large = Labels.of("__name__", "m", "large", value);
    Matcher matcher = Matcher.equal("large", value);
    for (long end = now + 5 * HOUR; now < end; now += 10 * MINUTE) {
      assertThat(append(large, now, 1)).isEqualTo(ACCEPTED);
      store.maintain(now);
    }
    assertThat(store.blocks()).isNotEmpty();
    assertThat(read(store, matcher).size()).isEqualTo(30);
    assertThat(read(afterKill(), matcher).size()).isEqualTo(30);
    try (Querier querier = store.querier(START, now)) {
      assertThat(querier.labelValues("large", List.of())).containsExactly(value);
    }
  }

  /** As a target does whose label is the time: the heap is what it may be. */
  @Test
  void seriesWithoutEnd_areRefusedWhenThereIsNoRoom() {
    store.close();
    head = head.withBytesMax(HEAD_BYTES_MAX);
    store = open(disk);
    assertThat(append(labels("old"), now, 1)).isEqualTo(ACCEPTED);
    int taken = 0;
    int refused = 0;
    for (int batch = 0; batch < 60; batch++) {
      Appender appender = store.appender();
      for (int i = 0; i < 1_000; i++) {
        Labels labels = Labels.of("__name__", "burst", "i", batch + "-" + i);
        long ref = appender.series(labels);
        boolean isTaken =
            ref != Appender.NO_SERIES && appender.append(ref, now, i) == AppendOutcome.ACCEPTED;
        taken += isTaken ? 1 : 0;
        refused += isTaken ? 0 : 1;
      }
      appender.commit();
      now += 1_000;
      store.maintain(now);
      assertThat(store.headStats().bytes()).isLessThan(HEAD_BYTES_MAX * 11 / 10);
    }
    assertThat(taken).isGreaterThan(2_000);
    assertThat(refused).isGreaterThan(20_000);
    assertThat(count(store, "burst")).isEqualTo(taken);
    assertThat(count(afterKill(), "burst")).isEqualTo(taken);
    now += 5 * HOUR;
    store.maintain(now);
    scrapeFor(4 * HOUR, "new");
    assertThat(count(store, "new")).isEqualTo(240);
    assertThat(count(store, "burst")).isEqualTo(taken);
    assertThat(store.stats().trouble()).isEmpty();
  }
}
