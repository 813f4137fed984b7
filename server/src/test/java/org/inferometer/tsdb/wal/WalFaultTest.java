package org.inferometer.tsdb.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is left of a log when its disk fails while it is written. */
class WalFaultTest {
  private final Path folder = Path.of("/data/wal");
  private final MemoryDisk disk = new MemoryDisk();
  private final List<String> expected = new ArrayList<>();
  private long next = 1;

  private void log(Wal wal) throws IOException {
    WalRecord record = Logs.samples(next++, 50);
    wal.log(List.of(record, record));
    expected.add(Logs.text(record));
    expected.add(Logs.text(record));
  }

  private void assertFails(Wal wal) {
    assertThatIOException().isThrownBy(() -> log(wal)).withMessageContaining("/data/wal");
  }

  private void assertHoldsWhatWasLogged() throws IOException {
    Logs.Contents contents = Logs.read(disk, folder);
    assertThat(contents.damage()).isNull();
    assertThat(contents.records()).isEqualTo(expected);
  }

  @Test
  void calls_writeOnce() throws IOException {
    try (Wal wal = Wal.open(disk, folder, WalOptions.defaults())) {
      wal.log(List.of());
      assertThat(disk.writes).isZero();
      for (int i = 0; i < 10; i++) {
        wal.log(List.of(Logs.samples(1, 10_000), Logs.sample(2)));
      }
      assertThat(disk.writes).isEqualTo(10);
    }
  }

  @Test
  void failedWrite_isTakenBack() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      for (int written = 0; written < 400; written += 7) {
        log(wal);
        disk.writableBytes = written;
        assertFails(wal);
        assertHoldsWhatWasLogged();
        disk.writableBytes = -1;
      }
      log(wal);
    }
    assertHoldsWhatWasLogged();
  }

  @Test
  void failedWriteThatCannotBeTakenBack_stopsWriting() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      log(wal);
      disk.writableBytes = 30;
      disk.failsToTruncate = true;
      assertFails(wal);
      WalDamage damage = Logs.read(disk, folder).damage();
      assertThat(damage).isNotNull();
      assertThat(damage.isTail()).isTrue();
      disk.writableBytes = -1;
      assertFails(wal);
      assertThatIOException().isThrownBy(wal::sync);
      assertThatIOException().isThrownBy(wal::cutSegment);
      disk.failsToTruncate = false;
      log(wal);
      assertHoldsWhatWasLogged();
    }
  }

  @Test
  void fullDisk_failsToBeginASegmentUntilThereIsRoom() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      while (wal.sizeBytes() < Logs.SMALL.segmentBytes() - 2_000) {
        log(wal);
      }
      disk.failsToCreate = true;
      for (int i = 0; i < 20; i++) {
        try {
          log(wal);
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("can't create");
        }
      }
      assertThat(wal.segment()).isZero();
      disk.failsToCreate = false;
      disk.failsToSyncFolders = true;
      assertFails(wal);
      disk.failsToSyncFolders = false;
      log(wal);
      assertThat(wal.segment()).isEqualTo(1);
    }
    assertHoldsWhatWasLogged();
  }

  @Test
  void failedPadding_leavesNothingBehind() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      log(wal);
      disk.writableBytes = 100;
      assertThatIOException().isThrownBy(wal::cutSegment);
      disk.writableBytes = -1;
      log(wal);
      assertThat(wal.segment()).isZero();
    }
    assertHoldsWhatWasLogged();
  }

  @Test
  void failedSync_makesTheSegmentSuspect() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      log(wal);
      disk.failsToSync = true;
      assertThatIOException().isThrownBy(wal::sync);
      disk.failsToSync = false;
      assertThat(wal.segment()).isZero();
      log(wal);
      assertThat(wal.segment()).isEqualTo(1);
      wal.sync();
      log(wal);
      assertThat(wal.segment()).isEqualTo(1);
    }
    assertHoldsWhatWasLogged();
  }

  @Test
  void failedSyncOfAnEndedSegment_isToldByTheNextSync() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      log(wal);
      disk.failsToSync = true;
      wal.cutSegment();
      disk.failsToSync = false;
      log(wal);
      assertThatIOException().isThrownBy(wal::sync).withMessageContaining("wasn't synced");
      wal.sync();
    }
    assertHoldsWhatWasLogged();
  }

  @Test
  void sync_doesNothingIfNothingWasWritten() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      log(wal);
      wal.sync();
      int syncs = disk.syncs;
      wal.sync();
      assertThat(disk.syncs).isEqualTo(syncs);
    }
  }

  /** Whatever fails and when: all that was taken is there, and nothing else. */
  @Test
  void randomFaults_loseNothing() throws IOException {
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      disk.delete(folder);
      expected.clear();
      Wal wal = Wal.open(disk, folder, Logs.SMALL);
      for (int step = 0; step < 120; step++) {
        fault(random);
        try {
          step(wal, random.nextInt(12));
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("/data/wal");
        }
      }
      heal();
      log(wal);
      closeTwice(wal);
      Logs.Contents contents = Logs.read(disk, folder);
      assertThat(contents.damage()).as("seed %d", seed).isNull();
      assertThat(contents.records()).as("seed %d", seed).isEqualTo(expected);
    }
  }

  /** What failed before may be told once more. */
  private static void closeTwice(Wal wal) throws IOException {
    try {
      wal.close();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("wasn't synced");
    }
    wal.close();
  }

  private void step(Wal wal, int kind) throws IOException {
    switch (kind) {
      case 0 -> wal.sync();
      case 1 -> wal.cutSegment();
      default -> log(wal);
    }
  }

  private void fault(Random random) {
    heal();
    switch (random.nextInt(12)) {
      case 0 -> disk.writableBytes = random.nextInt(1_500);
      case 1 -> {
        disk.writableBytes = random.nextInt(1_500);
        disk.failsToTruncate = true;
        disk.failsToAppend = random.nextBoolean();
      }
      case 2 -> disk.failsToTruncate = true;
      case 3 -> disk.failsToSync = true;
      case 4 -> disk.failsToCreate = true;
      case 5 -> disk.failsToSyncFolders = true;
      default -> {}
    }
  }

  private void heal() {
    disk.writableBytes = -1;
    disk.failsToTruncate = false;
    disk.failsToSync = false;
    disk.failsToSyncFolders = false;
    disk.failsToCreate = false;
    disk.failsToAppend = false;
  }
}
