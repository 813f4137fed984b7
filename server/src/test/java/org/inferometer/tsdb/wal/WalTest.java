package org.inferometer.tsdb.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.inferometer.io.Disk;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.model.Labels;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalTest {
  private final Disk disk = Disk.real();

  private Path folder = Path.of("");

  @BeforeEach
  void chooseFolder(@TempDir Path temporary) {
    folder = temporary.resolve("wal");
  }

  private List<String> names() throws IOException {
    return disk.list(folder);
  }

  private void assertHolds(List<String> expected) throws IOException {
    Logs.Contents contents = Logs.read(disk, folder);
    assertThat(contents.damage()).isNull();
    assertThat(contents.records()).isEqualTo(expected);
    assertThat(contents.readBytes()).isEqualTo(contents.size());
  }

  @Test
  void emptyFolder_isAnEmptyLog() throws IOException {
    assertHolds(List.of());
  }

  @Test
  void randomRecords_comeBack() throws IOException {
    for (int seed = 0; seed < 30; seed++) {
      Path own = folder.resolve("seed" + seed);
      RandomRecords random = new RandomRecords(seed);
      List<String> expected = new ArrayList<>();
      long size;
      try (Wal wal = Wal.open(disk, own, seed % 3 == 0 ? Logs.PLAIN : Logs.SMALL)) {
        for (int call = 0; call < 30; call++) {
          List<WalRecord> records = random.list(call % 4);
          wal.log(records);
          expected.addAll(Logs.texts(records));
        }
        size = wal.sizeBytes();
      }
      Logs.Contents contents = Logs.read(disk, own);
      assertThat(contents.damage()).as("seed %d", seed).isNull();
      assertThat(contents.records()).as("seed %d", seed).isEqualTo(expected);
      assertThat(contents.size()).isEqualTo(size).isEqualTo(contents.readBytes());
    }
  }

  @Test
  void records_goAcrossPagesButNotSegments() throws IOException {
    List<String> expected = new ArrayList<>();
    try (Wal wal = Wal.open(disk, folder, Logs.PLAIN)) {
      for (int i = 0; i < 20; i++) {
        WalRecord record = Logs.samples(1 + i, 5_000);
        wal.log(List.of(record));
        expected.add(Logs.text(record));
      }
      assertThat(wal.segment()).isEqualTo(9);
    }
    for (String name : names().subList(0, names().size() - 1)) {
      assertThat(disk.size(folder.resolve(name)) % WalOptions.PAGE_BYTES).as(name).isZero();
      assertThat(disk.size(folder.resolve(name))).isLessThanOrEqualTo(Logs.PLAIN.segmentBytes());
    }
    assertHolds(expected);
  }

  @Test
  void recordThatIsLargerThanASegment_hasItsOwn() throws IOException {
    WalRecord large = Logs.samples(1, 50_000);
    try (Wal wal = Wal.open(disk, folder, Logs.PLAIN)) {
      wal.log(List.of(Logs.sample(1)));
      wal.log(List.of(large));
      wal.log(List.of(Logs.sample(2)));
      assertThat(wal.segment()).isEqualTo(2);
    }
    assertHolds(List.of(Logs.text(Logs.sample(1)), Logs.text(large), Logs.text(Logs.sample(2))));
  }

  /** Every length of what is left in a page is met, so that each kind of end is. */
  @Test
  void pages_endAnywhere() throws IOException {
    List<String> expected = new ArrayList<>();
    try (Wal wal = Wal.open(disk, folder, new WalOptions(1 << 22, false))) {
      for (int i = 0; i < 60; i++) {
        WalRecord filler = Logs.samples(1, 3_200 - i);
        wal.log(List.of(filler, Logs.sample(i)));
        expected.add(Logs.text(filler));
        expected.add(Logs.text(Logs.sample(i)));
      }
    }
    assertHolds(expected);
  }

  @Test
  void reopening_goesOnInANewSegment() throws IOException {
    Wal.open(disk, folder, Logs.SMALL).close();
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      assertThat(wal.segment()).isZero();
      wal.log(List.of(Logs.sample(1)));
    }
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      assertThat(wal.segment()).isEqualTo(1);
      wal.log(List.of(Logs.sample(2)));
      assertThat(wal.sizeBytes())
          .isEqualTo(WalOptions.PAGE_BYTES + disk.size(folder.resolve("00000001")));
    }
    assertHolds(Logs.texts(List.of(Logs.sample(1), Logs.sample(2))));
  }

  @Test
  void otherNames_areLeftAlone() throws IOException {
    Files.createDirectories(folder.resolve("checkpoint.00000007.tmp"));
    Files.createDirectories(folder.resolve("checkpoint.notes"));
    Files.writeString(folder.resolve("00000003.corrupt"), "x");
    Files.writeString(folder.resolve("notes"), "x");
    assertHolds(List.of());
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      assertThat(wal.segment()).isZero();
    }
    assertThat(names())
        .containsExactly("00000000", "00000003.corrupt", "checkpoint.notes", "notes");
  }

  @Test
  void cutSegment_beginsOneUnlessItIsEmpty() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      assertThat(wal.cutSegment()).isZero();
      wal.log(List.of(Logs.sample(1)));
      assertThat(wal.cutSegment()).isEqualTo(1).isEqualTo(wal.segment());
      assertThat(wal.cutSegment()).isEqualTo(1);
      assertThat(wal.sizeBytes()).isEqualTo(WalOptions.PAGE_BYTES);
      wal.log(List.of(Logs.sample(2)));
      wal.sync();
    }
    assertHolds(Logs.texts(List.of(Logs.sample(1), Logs.sample(2))));
  }

  @Test
  void removedSegments_areNotMissed() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      for (int i = 0; i < 4; i++) {
        wal.log(List.of(Logs.sample(i)));
        wal.cutSegment();
      }
      wal.removeBefore(3);
      assertThat(wal.sizeBytes()).isEqualTo(WalOptions.PAGE_BYTES);
    }
    assertThat(names()).containsExactly("00000003", "00000004");
    assertHolds(Logs.texts(List.of(Logs.sample(3))));
  }

  @Test
  void closedLog_takesNothing() throws IOException {
    Wal wal = Wal.open(disk, folder, Logs.SMALL);
    wal.close();
    wal.close();
    assertThatIOException()
        .isThrownBy(() -> wal.log(List.of(Logs.sample(1))))
        .withMessageContaining("closed");
    assertThatIOException().isThrownBy(wal::sync);
  }

  @Test
  void takenSamples_stayAsTheyAre() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      wal.log(List.of(Logs.sample(1), Logs.sample(2), Logs.sample(3)));
    }
    try (WalReader in = WalReader.open(disk, folder)) {
      WalRecord first = in.next();
      in.takeSamples();
      WalRecord second = in.next();
      assertThat(first).isNotNull();
      assertThat(Logs.text(first)).isEqualTo(Logs.text(Logs.sample(1)));
      in.next();
      assertThat(second).isNotNull();
      assertThat(Logs.text(second)).isEqualTo(Logs.text(Logs.sample(3)));
    }
  }

  @Test
  void logThatIsBeingWritten_canBeRead() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        WalRecord record = Logs.samples(i, 1 + i * 7);
        wal.log(List.of(record));
        expected.add(Logs.text(record));
        if (i % 50 == 0) {
          assertHolds(expected);
        }
      }
      assertHolds(expected);
    }
  }

  /** Each thread's own order is kept, and records of one call lie side by side. */
  @Test
  void threads_writeBesideEachOther() throws Exception {
    int threads = 8;
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL);
        ExecutorService pool = Executors.newFixedThreadPool(threads + 1)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        running.add(pool.submit(() -> write(wal, number)));
      }
      running.add(pool.submit(() -> syncAndCut(wal)));
      for (Future<?> each : running) {
        each.get();
      }
    }
    int[] next = new int[threads];
    List<String> records = Logs.read(disk, folder).records();
    for (int i = 0; i < records.size(); i += 2) {
      int thread = Integer.parseInt(records.get(i).replaceAll("Samples (\\d+)@.*", "$1")) / 1_000;
      WalRecord expected = Logs.samples(thread * 1_000L + next[thread], 30);
      assertThat(records.get(i)).isEqualTo(Logs.text(expected));
      assertThat(records.get(i + 1)).isEqualTo(records.get(i));
      next[thread]++;
    }
    assertThat(next).containsOnly(200);
  }

  private static Void write(Wal wal, int thread) throws IOException {
    for (int i = 0; i < 200; i++) {
      WalRecord record = Logs.samples(thread * 1_000L + i, 30);
      wal.log(List.of(record, record));
    }
    return null;
  }

  private static Void syncAndCut(Wal wal) throws IOException {
    for (int i = 0; i < 20; i++) {
      wal.sync();
      wal.cutSegment();
    }
    return null;
  }

  /** Where a page has room for a header only, too. */
  @Test
  void recordsOfAnyLength_areReadBack() throws IOException {
    for (int length = WalOptions.PAGE_BYTES - 60; length < WalOptions.PAGE_BYTES; length++) {
      SimulatedDisk own = new SimulatedDisk(1);
      List<WalRecord> records =
          List.of(
              new WalRecord.Series(
                  List.of(new WalRecord.NewSeries(1, Labels.of("a", "x".repeat(length))))),
              Logs.sample(1));
      try (Wal wal = Wal.open(own, folder, Logs.PLAIN)) {
        wal.log(records);
      }
      assertThat(Logs.read(own, folder).records()).isEqualTo(Logs.texts(records));
    }
  }
}
