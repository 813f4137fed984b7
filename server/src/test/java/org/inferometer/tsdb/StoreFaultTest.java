package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.inferometer.io.DiskFault;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.store.Appender;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.Querier;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.wal.WalOptions;
import org.junit.jupiter.api.Test;

/** A store on a disk that fails, and one whose process or power ends at any moment. */
class StoreFaultTest {
  private static final long HOUR = StoreTest.HOUR;
  private static final long MINUTE = StoreTest.MINUTE;
  private static final Path FOLDER = Path.of("/data");
  private static final int SERIES = 3;

  private SimulatedDisk disk = new SimulatedDisk(1);
  private final List<String> told = new ArrayList<>();
  private final MemorySeries model = new MemorySeries();
  private long now = StoreTest.START;

  private Store open(SimulatedDisk on) {
    StoreOptions options = StoreTest.options(FOLDER);
    return Store.open(
        new StoreOptions(
            FOLDER,
            false,
            options.retentionMs(),
            0,
            options.blockMs(),
            options.blockMsMax(),
            options.head(),
            new WalOptions(1 << 16, true)),
        on,
        () -> now,
        told::add,
        new SplittableRandom(1));
  }

  private void append(Store store, long forMs) {
    for (long end = now + forMs; now < end; now += 2 * MINUTE) {
      Appender appender = store.appender();
      for (int s = 0; s < SERIES; s++) {
        appender.append(appender.series(StoreTest.labels(s)), now, StoreTest.value(s, now));
      }
      appender.commit();
      for (int s = 0; s < SERIES; s++) {
        model.add(StoreTest.labels(s), now, StoreTest.value(s, now));
      }
    }
  }

  private static String dump(org.inferometer.store.Queryable from) {
    try (Querier querier = from.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      return MergedQuerierTest.dump(querier, StoreTest.ALL, Long.MIN_VALUE, Long.MAX_VALUE);
    }
  }

  private void assertSame(Store store) {
    assertThat(dump(store)).isEqualTo(dump(model));
  }

  /** Three blocks and a head from which the fourth can be cut, after which they are compacted. */
  private Store beforeCompaction() {
    Store store = open(disk);
    for (int i = 0; i < 3; i++) {
      append(store, 2 * HOUR);
      store.maintain(now);
    }
    append(store, 3 * HOUR + 10 * MINUTE);
    return store;
  }

  @Test
  void endOfProcessOrPower_atAnyMomentOfMaintenance_losesNothing() {
    Store store = beforeCompaction();
    store.maintain(now);
    append(store, 2 * HOUR);
    store.maintain(now);
    append(store, 2 * HOUR);
    disk.syncAll();
    List<SimulatedDisk> moments = new ArrayList<>();
    Random random = new Random(2);
    disk.watch(
        operation -> {
          if (operation.kind().changes()) {
            moments.add(random.nextBoolean() ? disk.processKill() : disk.powerCut(random));
          }
        });
    store.maintain(now);
    disk.watch(operation -> {});
    assertThat(store.blocks()).anyMatch(meta -> meta.level() > 1);
    store.close();
    assertThat(moments).hasSizeGreaterThan(20);
    for (SimulatedDisk moment : moments) {
      Store again = open(moment);
      assertSame(again);
      again.maintain(now);
      assertSame(again);
      assertThat(again.blocks()).hasSizeLessThan(5);
      again.close();
    }
  }

  @Test
  void failure_ofAnyWrite_leavesAllAndIsTriedAgain() {
    for (long after = 0; ; after += 3) {
      disk = new SimulatedDisk(after);
      now = StoreTest.START;
      model.clear();
      told.clear();
      Store store = beforeCompaction();
      DiskFault fault = disk.fail(DiskFault.ofChanges().on("/01").after(after).times(3));
      store.maintain(now);
      assertSame(store);
      disk.heal();
      if (fault.failures() == 0) {
        store.close();
        assertThat(after).isGreaterThan(10);
        return;
      }
      assertThat(told).isNotEmpty();
      now += 11 * MINUTE;
      store.maintain(now);
      assertThat(store.stats().trouble()).isEmpty();
      assertSame(store);
      assertThat(store.blocks()).hasSize(2);
      store.maintain(now);
      store.close();
      assertSame(open(disk));
    }
  }

  @Test
  void fullDisk_isToldOnceAndEnds() {
    Store store = beforeCompaction();
    disk.limit(disk.usedBytes() + 1_000);
    for (int i = 0; i < 5; i++) {
      store.maintain(now);
      now += MINUTE;
    }
    assertThat(store.stats().trouble()).contains("MiB free");
    assertThat(store.stats().compactionsFailed()).isPositive();
    assertThat(told.stream().filter(t -> t.contains("can't make a block"))).hasSize(1);
    assertSame(store);
    disk.heal();
    now += 11 * MINUTE;
    store.maintain(now);
    assertThat(store.stats().trouble()).isEmpty();
    assertThat(told.getLast()).contains("over after");
    assertThat(store.blocks()).hasSize(2);
    assertSame(store);
    store.close();
  }

  @Test
  void open_thatFails_letsGoOfTheFolder() {
    beforeCompaction().close();
    disk.fail(DiskFault.of(SimulatedDisk.Kind.MAP).times(1));
    assertThatThrownBy(() -> open(disk))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("/data");
    disk.heal();
    Store again = open(disk);
    assertSame(again);
    again.close();
    assertThat(disk.openMappings()).isZero();
    assertThat(disk.openFiles()).isZero();
  }
}
