package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskFault;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.io.SimulatedDisk.Kind;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.ChunkRuns;
import org.inferometer.tsdb.chunk.RandomHistograms;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.inferometer.tsdb.wal.Wal;
import org.inferometer.tsdb.wal.WalOptions;
import org.inferometer.tsdb.wal.WalRecord;
import org.inferometer.tsdb.wal.WalSamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each part of a durable head by itself; {@link HeadDurabilityTest} has all of it at random. */
class DurableHeadTest {
  private static final Path FOLDER = Path.of("/data");
  private static final long RANGE = 7_200_000;
  private static final long START = 1_700_000_000_000L / RANGE * RANGE;
  private static final Labels A = Labels.of("__name__", "a");
  private static final Labels B = Labels.of("__name__", "b");

  private SimulatedDisk disk = new SimulatedDisk(1);
  private long now = START;
  private final HeadOptions options = HeadOptions.defaults().withOutOfOrderWindowMs(RANGE);

  private Head open() throws IOException {
    return open(options, 2, Long.MIN_VALUE);
  }

  private Head open(HeadOptions with, int threads, long blocksEndMs) throws IOException {
    Head head = closed(with);
    assertThat(head.replay(blocksEndMs, threads).problems()).isEmpty();
    return head;
  }

  private Head closed(HeadOptions with) {
    return new Head(with, () -> now, new HeadFiles(disk, FOLDER, false, WalOptions.defaults()));
  }

  private Head killed() throws IOException {
    disk = disk.processKill();
    return open();
  }

  private void add(Head head, Labels labels, long t, double value) {
    now = Math.max(now, t);
    Appender appender = head.appender();
    assertThat(appender.append(appender.series(labels), t, value))
        .isEqualTo(AppendOutcome.ACCEPTED);
    appender.commit();
  }

  private void addMany(Head head, Labels labels, long fromMs, long stepMs, int count) {
    for (int i = 0; i < count; i++) {
      add(head, labels, fromMs + i * stepMs, i);
    }
  }

  private static List<Long> times(Querier querier, Labels labels) {
    List<Long> times = new ArrayList<>();
    for (Series series :
        querier.select(List.of(Matcher.equal("__name__", labels.get("__name__"))))) {
      SampleColumns columns = new SampleColumns();
      series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      for (int i = 0; i < columns.size(); i++) {
        times.add(columns.timestampMs(i) - START);
      }
    }
    return times;
  }

  private static List<Long> times(Head head, Labels labels) {
    try (Querier querier = head.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      return times(querier, labels);
    }
  }

  private static String dump(Head head) {
    try (Querier querier = head.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      StringBuilder out = new StringBuilder();
      for (Series series : querier.select(List.of())) {
        SampleColumns columns = new SampleColumns();
        series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
        out.append(series.labels());
        for (int i = 0; i < columns.size(); i++) {
          out.append(' ').append(columns.timestampMs(i)).append(' ').append(columns.value(i));
          out.append(columns.histogram(i));
        }
        out.append('\n');
      }
      return out.append(querier.warnings()).toString();
    }
  }

  private static long cutAll(Head head, long nowMs) throws IOException {
    long end = Long.MIN_VALUE;
    for (BlockCut cut : head.cuts(nowMs)) {
      head.give(cut);
      Iterator<SeriesChunks> all = head.series(cut.minMs(), cut.maxMs());
      while (all.hasNext()) {
        all.next();
      }
      end = Math.max(end, cut.maxMs());
    }
    if (end > Long.MIN_VALUE) {
      assertThat(head.cutTo(end, 0)).isTrue();
    }
    return end;
  }

  @Test
  void failedLog_keepsNothingAndRecovers() throws IOException {
    Head head = open();
    add(head, A, START, 1);
    disk.fail(DiskFault.of(Kind.WRITE).on("/wal/").leaving(5));
    Appender appender = head.appender();
    appender.append(appender.series(A), START + 1_000, 2);
    appender.append(appender.series(B), START + 1_000, 2);
    appender.exemplar(A, new Exemplar(Labels.of("trace", "1"), 1, START));

    assertThatThrownBy(appender::commit)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(DiskFault.FULL);

    assertThat(times(head, A)).containsExactly(0L);
    assertThat(times(head, B)).isEmpty();
    assertThat(head.walFailures()).isEqualTo(1);
    assertThat(head.trouble()).contains(DiskFault.FULL);
    assertThat(head.stats().samples(AppendOutcome.NO_ROOM)).isEqualTo(2);
    add(head, B, START + 2_000, 3);
    assertThat(head.trouble()).isEmpty();
    assertThat(times(killed(), B)).containsExactly(2_000L);
  }

  @Test
  void failedLogOfLateSamples_losesOnlyThese() throws IOException {
    Head head = open();
    add(head, A, START + 9_000, 1);
    Appender appender = head.appender();
    appender.append(appender.series(A), START + 1_000, 2);
    appender.append(appender.series(A), START + 10_000, 3);
    disk.fail(DiskFault.ofChanges().on("/wbl").forGood());
    now = START + 10_000;
    appender.commit();

    assertThat(times(head, A)).containsExactly(9_000L, 10_000L);
    assertThat(head.stats().samples(AppendOutcome.NO_ROOM)).isEqualTo(1);
    assertThat(times(killed(), A)).containsExactly(9_000L, 10_000L);
  }

  @Test
  void exemplars_areReplayed() throws IOException {
    Head head = open();
    Appender appender = head.appender();
    appender.append(appender.series(A), START, 1);
    for (int i = 0; i < 3; i++) {
      appender.exemplar(A, new Exemplar(Labels.of("trace", "1"), 1, START));
    }
    appender.commit();
    List<List<Matcher>> all = List.of(List.of());
    Head again = killed();
    assertThat(again.exemplars().exemplars(all, START, START)).hasSize(1);
    assertThat(again.exemplars().exemplars(all, START, START))
        .isEqualTo(head.exemplars().exemplars(all, START, START));
  }

  @Test
  void mappedChunks_readAsBefore() throws IOException {
    Head head = open();
    RandomHistograms histograms = new RandomHistograms(new Random(5));
    for (int i = 0; i < 600; i++) {
      now = START + i * 15_000L;
      Appender appender = head.appender();
      appender.append(appender.series(A), now, i % 7);
      appender.append(appender.series(B), now, histograms.next());
      appender.commit();
    }
    String before = dump(head);
    long bytes = head.stats().bytes();

    head.mapFullChunks();

    assertThat(dump(head)).isEqualTo(before);
    assertThat(head.stats().bytes()).isLessThan(bytes);
    assertThat(head.mappedBytes()).isGreaterThan(1_000);
    assertThat(disk.files(FOLDER.resolve("head_chunks"))).hasSize(2); // two stretches of time
    head.close();
    assertThat(disk.openMappings()).isZero();
    assertThat(disk.openFiles()).isZero();
    assertThat(disk.files(FOLDER.resolve("head_chunks"))).isEmpty();
    assertThat(dump(open())).isEqualTo(before);
  }

  @Test
  void mappedFileThatIsCutOff_isPassedOverWithWarning(@TempDir Path folder) throws IOException {
    HeadFiles files = new HeadFiles(Disk.real(), folder, false, WalOptions.defaults());
    Head head = new Head(options, () -> now, files);
    head.replay(Long.MIN_VALUE);
    addMany(head, A, START, 1_000, 250);
    head.mapFullChunks();
    try (FileChannel file =
        FileChannel.open(folder.resolve("head_chunks/000001"), StandardOpenOption.WRITE)) {
      file.truncate(0);
    }

    try (Querier querier = head.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      assertThat(times(querier, A)).isNotEmpty();
      assertThat(querier.warnings()).isNotEmpty().allMatch(w -> w.contains("000001: offset "));
    }
    head.close();
  }

  @Test
  void damagedMappedChunk_isPassedOverWithWarning(@TempDir Path folder) throws IOException {
    HeadFiles files = new HeadFiles(Disk.real(), folder, false, WalOptions.defaults());
    Head head = new Head(options, () -> now, files);
    head.replay(Long.MIN_VALUE);
    addMany(head, A, START, 1_000, 250);
    head.mapFullChunks();
    try (FileChannel file =
        FileChannel.open(folder.resolve("head_chunks/000001"), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {0x55}), 40);
    }

    try (Querier querier = head.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      assertThat(times(querier, A)).hasSize(130).startsWith(120_000L);
      assertThat(querier.warnings()).singleElement().asString().contains("000001: offset 8");
    }
    Appender appender = head.appender();
    assertThat(appender.append(appender.series(A), START + 500, 1))
        .isEqualTo(AppendOutcome.NO_ROOM);
    appender.rollback();
    head.close();
    Head again = new Head(options, () -> now, files);
    again.replay(Long.MIN_VALUE);
    assertThat(times(again, A)).hasSize(250);
    again.close();
  }

  @Test
  void fullDisk_leavesChunksOnHeap() throws IOException {
    Head head = open();
    addMany(head, A, START, 1_000, 250);
    String before = dump(head);
    disk.fail(DiskFault.of(Kind.WRITE).on("head_chunks").leaving(3));

    assertThatThrownBy(head::mapFullChunks).hasMessageContaining(DiskFault.FULL);

    assertThat(head.trouble()).contains("head_chunks", DiskFault.FULL);
    assertThat(dump(head)).isEqualTo(before);
    head.mapFullChunks();
    assertThat(head.trouble()).isEmpty();
    assertThat(dump(head)).isEqualTo(before);
  }

  @Test
  void fullHead_mapsChunksInsteadOfDropping() throws IOException {
    Head head = open(options.withBytesMax(150_000), 1, Long.MIN_VALUE);
    Random random = new Random(1);
    for (int i = 0; i < 700; i++) {
      now = START + i * 1_000L;
      Appender appender = head.appender();
      for (int s = 0; s < 20; s++) {
        appender.append(appender.series(Labels.of("__name__", "s" + s)), now, random.nextDouble());
      }
      appender.commit();
    }
    assertThat(head.stats().samples(AppendOutcome.ACCEPTED)).isEqualTo(14_000);
    assertThat(head.stats().bytes()).isLessThan(150_000);
    assertThat(times(head, Labels.of("__name__", "s3"))).hasSize(700);
    disk = disk.processKill();
    Head again = open(options.withBytesMax(150_000), 2, Long.MIN_VALUE);
    assertThat(again.stats().bytes()).isLessThan(150_000);
    assertThat(dump(again)).isEqualTo(dump(head));
  }

  @Test
  void cuts_areDueHalfARangeAfterTheirEnd() throws IOException {
    Head head = open();
    addMany(head, A, START, 600_000, 18);
    assertThat(head.cuts(now)).isEmpty();
    add(head, A, START + RANGE + RANGE / 2 + 1, 1);
    assertThat(head.cuts(START + RANGE)).isEmpty(); // by the clock
    assertThat(head.cuts(now)).containsExactly(new BlockCut(START, START + RANGE, false));
    // A clock that has jumped ahead cuts nothing of the present away.
    assertThat(head.cuts(now + 100 * RANGE)).hasSize(1);
  }

  @Test
  void cuts_leaveOutStretchesWithoutSamples() throws IOException {
    Head head = open(options.withRetentionMs(100 * RANGE), 1, Long.MIN_VALUE);
    add(head, A, START, 1);
    add(head, A, START + 5 * RANGE, 1);
    add(head, A, START + 7 * RANGE, 1);
    assertThat(head.cuts(now))
        .extracting(BlockCut::minMs)
        .containsExactly(START, START + 5 * RANGE);
  }

  @Test
  void lateSamples_areCutAfterAWhile() throws IOException {
    Head head = open();
    addMany(head, A, START, 600_000, 20);
    assertThat(cutAll(head, now)).isEqualTo(START + RANGE);
    add(head, A, START + RANGE - 1, 1);
    assertThat(times(head, A)).startsWith(RANGE - 1);
    assertThat(head.cuts(now)).isEmpty();
    assertThat(head.cuts(now + RANGE / 2))
        .containsExactly(new BlockCut(START, START + RANGE, true));
    assertThat(times(killedAt(START + RANGE), A)).startsWith(RANGE - 1);
  }

  private Head killedAt(long blocksEndMs) throws IOException {
    disk = disk.processKill();
    return open(options, 2, blocksEndMs);
  }

  @Test
  void samplesDuringACut_arentLost() throws IOException {
    Head head = open();
    addMany(head, A, START, 600_000, 20);
    Iterator<SeriesChunks> given = null;
    for (BlockCut cut : head.cuts(now)) {
      head.give(cut);
      given = head.series(cut.minMs(), cut.maxMs());
    }
    assertThat(given).isNotNull();
    given.next();
    add(head, A, START + RANGE - 1, 7);
    add(head, B, START + RANGE - 2, 7); // a series that is new
    Head crashed = killedAt(START + RANGE);
    assertThat(times(crashed, A)).startsWith(RANGE - 1);
    assertThat(times(crashed, B)).containsExactly(RANGE - 2);

    head.cutTo(START + RANGE, 0);

    assertThat(times(head, A)).startsWith(RANGE - 1, RANGE);
    assertThat(times(head, B)).containsExactly(RANGE - 2);
  }

  @Test
  void cut_waitsForQueriers() throws IOException {
    Head head = open();
    addMany(head, A, START, 60_000, 200);
    head.mapFullChunks();
    Querier querier = head.querier(Long.MIN_VALUE, Long.MAX_VALUE);
    List<BlockCut> cuts = head.cuts(now);
    head.give(cuts.getFirst());

    assertThat(head.cutTo(START + RANGE, 1)).isFalse();
    assertThat(times(querier, A)).hasSize(200);
    assertThat(head.cuts(now)).isEmpty();
    querier.close();
    head.maintain(now);

    assertThat(times(head, A)).hasSize(80).startsWith(RANGE);
    assertThat(disk.files(FOLDER.resolve("head_chunks"))).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void log_staysBoundedAndRemovedSeriesComeBack() throws IOException {
    Head head = open();
    for (int i = 0; i < 40; i++) {
      long t = START + i * RANGE / 2;
      add(head, A, t, i);
      if (i % 8 < 2) {
        add(head, B, t, i);
      }
      cutAll(head, now);
      head.maintain(now);
    }
    assertThat(disk.files(FOLDER.resolve("wal"))).hasSizeLessThan(8);
    long cutMs = START + 18 * RANGE;
    assertThat(times(killedAt(cutMs), A)).isEqualTo(times(head, A));
    assertThat(times(killedAt(cutMs), B)).isEqualTo(times(head, B));
  }

  @Test
  void deletion_isReplayedAtItsPlace() throws IOException {
    Head head = open();
    addMany(head, A, START, 1_000, 10);
    add(head, A, START + 3_500, 1);
    head.delete(List.of(Matcher.equal("__name__", "a")), START + 3_000, Long.MAX_VALUE);
    add(head, A, START + 20_000, 1);
    add(head, A, START + 4_000, 9);
    List<Long> left = List.of(0L, 1_000L, 2_000L, 4_000L, 20_000L);
    assertThat(times(head, A)).isEqualTo(left);
    assertThat(times(killed(), A)).isEqualTo(left);
    assertThat(times(killed(), A)).isEqualTo(left);
  }

  private void log(WalRecord... records) throws IOException {
    try (Wal wal = Wal.open(disk, FOLDER.resolve("wal"), WalOptions.defaults())) {
      wal.log(List.of(records));
    }
  }

  private static WalRecord series(long ref, Labels labels) {
    return new WalRecord.Series(List.of(new WalRecord.NewSeries(ref, labels)));
  }

  private static WalRecord samples(long ref, long... times) {
    WalSamples samples = new WalSamples();
    LongStream.of(times).forEach(t -> samples.add(ref, START + t, (double) t));
    return new WalRecord.Samples(samples);
  }

  @Test
  void replay_joinsReferencesOfOneSeries() throws IOException {
    log(series(7, A), samples(7, 1, 2), series(3, B), samples(3, 1));
    log(series(9, A), samples(9, 3), samples(7, 2, 4));
    Head head = open();
    assertThat(times(head, A)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(times(head, B)).containsExactly(1L);
    Labels c = Labels.of("__name__", "c");
    Appender appender = head.appender();
    assertThat(appender.series(c)).isEqualTo(10);
    appender.rollback();
    add(head, A, START + 100_000, 1);
    assertThat(times(killed(), A)).endsWith(4L, 100_000L);
  }

  @Test
  void replay_countsSamplesWithoutSeries() throws IOException {
    log(series(1, A), samples(1, 1), samples(2, 1, 2, 3));
    Head head = closed(options);
    ReplayReport report = head.replay(Long.MIN_VALUE);
    assertThat(report.problems()).singleElement().asString().contains("3 entries");
    assertThat(report.samples()).isEqualTo(1);
    Appender appender = head.appender();
    assertThat(appender.series(B)).isEqualTo(3);
  }

  @Test
  void replay_refusesReferencesThatAreTooLarge() throws IOException {
    log(series(1L << 31, A));
    assertThatThrownBy(() -> closed(options).replay(Long.MIN_VALUE))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("2147483648");
  }

  @Test
  void replay_passesOverWhatIsInBlocks() throws IOException {
    log(series(1, A), samples(1, 1, 2_000, 3_000));
    assertThat(times(open(options, 1, START + 2_000), A)).containsExactly(2_000L, 3_000L);
  }

  @Test
  void readOnly_changesNothing() throws IOException {
    log(series(1, A), samples(1, 1));
    long changes = disk.changes();
    Head head =
        new Head(options, () -> now, new HeadFiles(disk, FOLDER, true, WalOptions.defaults()));
    head.replay(Long.MIN_VALUE);
    assertThat(times(head, A)).containsExactly(1L);
    assertThat(disk.files(FOLDER)).hasSize(1);
    assertThatThrownBy(head::appender).isInstanceOf(StoreException.class);
    head.close();
    assertThat(disk.changes() - changes).isLessThanOrEqualTo(2); // of the temporary folder
  }

  /** A file as Prometheus maps it, with one chunk and zeros behind it. */
  private static byte[] chunksHead(long ref, long... times) {
    SampleColumns columns = new SampleColumns();
    LongStream.of(times).forEach(t -> columns.add(START + t, (double) t));
    Chunk chunk = ChunkRuns.of(columns).getFirst().seal();
    byte[] data = chunk.toBytes();
    ByteBuffer file = ByteBuffer.allocate(8 + 8 * 3 + 2 + data.length + 4 + 100);
    file.putInt(0x0130BC91).put(new byte[] {1, 0, 0, 0});
    file.putLong(ref).putLong(chunk.minMs()).putLong(chunk.maxMs());
    file.put(chunk.encoding().number()).put((byte) data.length).put(data);
    CRC32C crc = new CRC32C();
    crc.update(file.array(), 8, file.position() - 8);
    file.putInt((int) crc.getValue());
    return file.array();
  }

  @Test
  void damagedLog_isFilledFromPrometheusChunks() throws IOException {
    log(series(1, A), samples(1, 1));
    log(samples(1, 2, 3));
    log(samples(1, 4));
    disk.flipBit(FOLDER.resolve("wal/00000001"), 8 * 10);
    disk.put(FOLDER.resolve("chunks_head/000001"), chunksHead(1, 1, 2, 3));
    disk.put(FOLDER.resolve("chunk_snapshot.000002.0000000000/00000000"), new byte[9]);

    Head head = closed(options);
    ReplayReport report = head.replay(Long.MIN_VALUE);

    assertThat(report.problems()).singleElement().asString().contains("wal/00000001: offset 0");
    assertThat(times(head, A)).containsExactly(1L, 2L, 3L);
    assertThat(times(killed(), A)).containsExactly(1L, 2L, 3L);
    assertThat(disk.list(FOLDER)).contains("chunks_head.corrupt").doesNotContain("chunks_head");
    assertThat(disk.list(FOLDER)).noneMatch(name -> name.startsWith("chunk_snapshot"));
  }
}
