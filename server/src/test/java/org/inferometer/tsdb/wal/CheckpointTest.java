package org.inferometer.tsdb.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.MetricType;
import org.inferometer.tsdb.chunk.RandomHistograms;
import org.junit.jupiter.api.Test;

class CheckpointTest {
  private final Path folder = Path.of("/data/wal");
  private final MemoryDisk disk = new MemoryDisk();

  /** Keeps series with even references, and what is from 1,000 ms on. */
  private static CheckpointFilter keep(long fromMs) {
    return new CheckpointFilter() {
      @Override
      public boolean keepsSeries(long ref) {
        return ref % 2 == 0;
      }

      @Override
      public long keptFromMs() {
        return fromMs;
      }
    };
  }

  private static WalRecord series(long... refs) {
    List<WalRecord.NewSeries> entries = new ArrayList<>();
    for (long ref : refs) {
      entries.add(new WalRecord.NewSeries(ref, Labels.of("ref", Long.toString(ref))));
    }
    return new WalRecord.Series(entries);
  }

  private static WalRecord samples(long... refsAndTimes) {
    WalSamples samples = new WalSamples();
    for (int i = 0; i < refsAndTimes.length; i += 2) {
      samples.add(refsAndTimes[i], refsAndTimes[i + 1], 1);
    }
    return new WalRecord.Samples(samples);
  }

  private static WalRecord metadata(long ref, String help) {
    return new WalRecord.Metadata(
        List.of(new WalRecord.SeriesMetadata(ref, new MetricMetadata(MetricType.GAUGE, "", help))));
  }

  private static WalRecord tombstone(long ref, long maxMs) {
    return new WalRecord.Tombstones(List.of(new WalRecord.Deletion(ref, 0, maxMs)));
  }

  private static WalRecord exemplar(long ref, long timeMs) {
    return new WalRecord.Exemplars(
        List.of(new WalRecord.SeriesExemplar(ref, new Exemplar(Labels.EMPTY, 1, timeMs))));
  }

  private static WalRecord histogram(long ref, long timeMs) {
    return new WalRecord.Histograms(
        List.of(
            new WalRecord.HistogramSample(
                ref, timeMs, new RandomHistograms(new Random(1)).next())));
  }

  private List<String> names() {
    return disk.list(folder);
  }

  private void assertHolds(WalRecord... records) throws IOException {
    Logs.Contents contents = Logs.read(disk, folder);
    assertThat(contents.damage()).isNull();
    assertThat(contents.records()).isEqualTo(Logs.texts(List.of(records)));
  }

  @Test
  void whatIsStillNeeded_isKept() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      wal.log(List.of(series(1, 2, 3, 4), metadata(2, "old"), metadata(1, "x")));
      wal.log(List.of(samples(1, 2_000, 2, 999, 2, 1_000, 4, 1_001), samples(2, 5)));
      wal.cutSegment();
      wal.log(List.of(tombstone(2, 999), tombstone(2, 1_000), tombstone(3, 1_000)));
      wal.log(List.of(exemplar(2, 999), exemplar(4, 1_000), metadata(2, "new")));
      wal.log(List.of(histogram(2, 1_000), histogram(2, 999), histogram(1, 1_000)));
      wal.cutSegment();
      wal.log(List.of(samples(1, 1)));
      wal.checkpoint(2, keep(1_000));
      assertThat(names()).containsExactly("00000002", "checkpoint.00000001");
      assertThat(wal.sizeBytes())
          .isEqualTo(WalOptions.PAGE_BYTES + disk.size(folder.resolve("00000002")));
    }
    assertHolds(
        series(2, 4),
        samples(2, 1_000, 4, 1_001),
        tombstone(2, 1_000),
        exemplar(4, 1_000),
        histogram(2, 1_000),
        metadata(2, "new"),
        samples(1, 1));
  }

  @Test
  void checkpoints_replaceEachOther() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      for (int i = 1; i <= 4; i++) {
        wal.log(List.of(series(i), samples(i, i * 1_000L)));
        wal.cutSegment();
      }
      wal.checkpoint(2, keep(0));
      wal.checkpoint(4, keep(4_000));
      wal.checkpoint(3, keep(0));
      assertThat(names()).containsExactly("00000004", "checkpoint.00000003");
    }
    assertHolds(series(2), series(4), samples(4, 4_000));
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      assertThat(wal.segment()).isEqualTo(4);
      wal.checkpoint(4, keep(0));
      assertThatIllegalArgumentException().isThrownBy(() -> wal.checkpoint(5, keep(0)));
    }
  }

  @Test
  void largeCheckpoint_hasSeveralSegments() throws IOException {
    List<WalRecord> records = new ArrayList<>();
    try (Wal wal = Wal.open(disk, folder, Logs.PLAIN)) {
      for (int i = 0; i < 40; i++) {
        WalSamples even = new WalSamples();
        for (int sample = 0; sample < 2_000; sample++) {
          even.add(2, 1_000 + i, sample);
        }
        records.add(new WalRecord.Samples(even));
        wal.log(List.of(records.getLast()));
      }
      wal.checkpoint(wal.cutSegment(), keep(0));
    }
    assertThat(disk.list(folder.resolve("checkpoint." + lastSegment())))
        .hasSizeGreaterThan(2)
        .startsWith("00000000", "00000001");
    assertHolds(records.toArray(WalRecord[]::new));
  }

  private String lastSegment() {
    return "%08d".formatted(Integer.parseInt(names().getFirst()) - 1);
  }

  /** Segments that a checkpoint has are left over if the process ended before they were removed. */
  @Test
  void leftOverSegments_areNotReadAgain() throws IOException {
    byte[] first;
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      wal.log(List.of(series(2), samples(2, 1)));
      wal.cutSegment();
      first = disk.bytes(folder.resolve("00000000"));
      wal.checkpoint(1, keep(0));
    }
    disk.put(folder.resolve("00000000"), first);
    assertHolds(series(2), samples(2, 1));
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      wal.checkpoint(1, keep(0));
      assertThat(names()).containsExactly("00000001", "checkpoint.00000000");
    }
  }

  @Test
  void damagedSegment_stopsACheckpoint() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      wal.log(List.of(series(2), samples(2, 1)));
      wal.cutSegment();
      disk.bytes(folder.resolve("00000000"))[20] ^= 1;
      assertThatIOException()
          .isThrownBy(() -> wal.checkpoint(1, keep(0)))
          .withMessageContaining("00000000")
          .withMessageContaining("checksum");
      assertThat(names()).containsExactly("00000000", "00000001");
    }
  }

  @Test
  void fullDisk_leavesSegmentsAsTheyWere() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      wal.log(List.of(series(2), samples(2, 1)));
      wal.cutSegment();
      disk.writableBytes = 20;
      assertThatIOException().isThrownBy(() -> wal.checkpoint(1, keep(0)));
      disk.writableBytes = -1;
      assertHolds(series(2), samples(2, 1));
      wal.checkpoint(1, keep(0));
    }
    assertHolds(series(2), samples(2, 1));
  }

  @Test
  void missingSegmentBehindACheckpoint_isADamage() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      for (int i = 0; i < 3; i++) {
        wal.log(List.of(series(2)));
        wal.cutSegment();
      }
      wal.checkpoint(1, keep(0));
    }
    disk.delete(folder.resolve("00000001"));
    Logs.Contents contents = Logs.read(disk, folder);
    assertThat(contents.records()).isEqualTo(Logs.texts(List.of(series(2))));
    assertThat(Objects.requireNonNull(contents.damage()).file())
        .isEqualTo(folder.resolve("00000001"));
  }

  @Test
  void damagedCheckpoint_isCutOff() throws IOException {
    try (Wal wal = Wal.open(disk, folder, Logs.PLAIN)) {
      wal.log(List.of(series(2), series(4), series(6)));
      wal.cutSegment();
      wal.checkpoint(1, keep(0));
      wal.log(List.of(samples(2, 1)));
    }
    byte[] bytes = disk.bytes(folder.resolve("checkpoint.00000000").resolve("00000000"));
    bytes[30] ^= 1;
    Logs.Contents contents = Logs.read(disk, folder);
    WalDamage damage = Objects.requireNonNull(contents.damage());
    assertThat(contents.records()).isEqualTo(Logs.texts(List.of(series(2))));
    assertThat(damage.isTail()).isFalse();
    assertThat(damage.lostBytes()).isEqualTo(contents.size() - damage.offset());
    WalReader.repair(disk, folder, damage);
    assertThat(names())
        .containsExactly("00000001.corrupt", "checkpoint.00000000.corrupt", "checkpoint.00000001");
    assertHolds(series(2));
    try (Wal wal = Wal.open(disk, folder, Logs.PLAIN)) {
      assertThat(wal.segment()).isEqualTo(2);
      wal.log(List.of(series(8)));
    }
    assertHolds(series(2), series(8));
  }
}
