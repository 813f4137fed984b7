package org.inferometer.tsdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.inferometer.io.Disk;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.wal.WalOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
  static final long HOUR = 3_600_000;
  static final long MINUTE = 60_000;

  /** A multiple of the longest range, so that blocks begin with it. */
  static final long START = 54 * HOUR * 9_000;

  static final List<Matcher> ALL = List.of(new Matcher(Matcher.Type.NOT_EQUAL, "__name__", ""));

  @TempDir private Path temp;
  private final List<String> told = new ArrayList<>();
  private long now = START;
  private final List<Store> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(Store::close);
  }

  static StoreOptions options(Path folder) {
    HeadOptions head =
        HeadOptions.defaults().withRetentionMs(100 * 24 * HOUR).withOutOfOrderWindowMs(5 * MINUTE);
    return new StoreOptions(
        folder,
        false,
        100 * 24 * HOUR,
        0,
        2 * HOUR,
        18 * HOUR,
        head,
        new WalOptions(1 << 20, true));
  }

  static StoreOptions readOnly(StoreOptions options) {
    return new StoreOptions(
        options.folder(),
        true,
        options.retentionMs(),
        options.retentionBytes(),
        options.blockMs(),
        options.blockMsMax(),
        options.head(),
        options.wal());
  }

  private Path folder() {
    return temp.resolve("data");
  }

  private Store open(StoreOptions options) {
    Store store =
        Store.open(options, Disk.real(), () -> now, told::add, new SplittableRandom(opened.size()));
    opened.add(store);
    return store;
  }

  private Store open() {
    return open(options(folder()));
  }

  static Labels labels(int series) {
    return Labels.of("__name__", "m" + series % 3, "i", "v" + series);
  }

  /** One value, the same for the same time and series. */
  static double value(int series, long t) {
    return (t - START) / MINUTE % 1_000 + series * 0.5;
  }

  private void append(Store store, MemorySeries model, int seriesCount) {
    Appender appender = store.appender();
    for (int s = 0; s < seriesCount; s++) {
      assertThat(appender.append(appender.series(labels(s)), now, value(s, now)))
          .isEqualTo(AppendOutcome.ACCEPTED);
      model.add(labels(s), now, value(s, now));
    }
    appender.commit();
  }

  private void run(Store store, MemorySeries model, long forMs) {
    for (long end = now + forMs; now < end; now += MINUTE) {
      append(store, model, 4);
      if (now % (15 * MINUTE) == 0) {
        store.maintain(now);
      }
    }
    store.maintain(now);
  }

  private void assertSame(Store store, MemorySeries model) {
    try (Querier querier = store.querier(Long.MIN_VALUE, Long.MAX_VALUE);
        Querier expected = model.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      assertThat(dump(querier)).isEqualTo(dump(expected));
      assertThat(querier.warnings()).isEmpty();
    }
  }

  private static String dump(Querier querier) {
    return MergedQuerierTest.dump(querier, ALL, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private List<String> names() throws IOException {
    return Disk.real().list(folder());
  }

  private long blockFolders() throws IOException {
    return names().stream().filter(name -> name.length() >= 26).count();
  }

  @Test
  void samples_goFromHeadToBlocksAndStay() throws IOException {
    MemorySeries model = new MemorySeries();
    Store store = open();
    run(store, model, 2 * HOUR);
    assertThat(store.blocks()).isEmpty();
    assertSame(store, model);
    run(store, model, 20 * HOUR);
    assertSame(store, model);
    assertThat(store.blocks()).extracting(BlockMeta::level).contains(1, 3);
    assertThat(blockFolders()).isEqualTo(store.blocks().size());
    assertThat(store.headStats().minMs()).isGreaterThanOrEqualTo(START + 18 * HOUR);
    assertThat(store.stats().minMs()).isEqualTo(START);
    assertThat(store.stats().maxMs()).isEqualTo(now - MINUTE);
    assertThat(store.stats().trouble()).isEmpty();
    store.close();
    Store again = open();
    assertSame(again, model);
    run(again, model, 4 * HOUR);
    assertSame(again, model);
    assertThat(told).isEmpty();
  }

  @Test
  void lateSamples_becomeBlocksThatAreMerged() {
    MemorySeries model = new MemorySeries();
    Store store = open();
    for (int i = 0; i < 12; i++) {
      run(store, model, HOUR);
      Appender appender = store.appender();
      long t = now - 3 * MINUTE - 30_000;
      assertThat(appender.append(appender.series(labels(1)), t, 7))
          .isEqualTo(AppendOutcome.ACCEPTED);
      model.add(labels(1), t, 7);
      appender.commit();
      assertSame(store, model);
    }
    store.close();
    assertSame(open(), model);
  }

  @Test
  void openQuerier_seesTheSameOverCutCompactionAndRetention() throws IOException {
    MemorySeries model = new MemorySeries();
    StoreOptions options = options(folder());
    Store store =
        open(
            new StoreOptions(
                options.folder(),
                false,
                12 * HOUR,
                0,
                options.blockMs(),
                options.blockMsMax(),
                options.head(),
                options.wal()));
    run(store, model, 5 * HOUR);
    Querier querier = store.querier(Long.MIN_VALUE, Long.MAX_VALUE);
    String before = dump(querier);
    List<String> blocksBefore = names().stream().filter(name -> name.length() == 26).toList();
    assertThat(blocksBefore).isNotEmpty();
    run(store, model, 30 * HOUR);
    assertThat(dump(querier)).isEqualTo(before);
    assertThat(names()).containsAll(blocksBefore);
    assertThat(store.stats().minMs()).isGreaterThan(START);
    querier.close();
    store.maintain(now);
    store.maintain(now);
    assertThat(names()).doesNotContainAnyElementsOf(blocksBefore);
    assertThat(blockFolders()).isEqualTo(store.blocks().size());
    assertThat(store.headStats().minMs()).isGreaterThan(now - 4 * HOUR);
    assertThat(store.stats().reclaimed()).isPositive();
  }

  @Test
  void retention_bySize_keepsTheHead() throws IOException {
    MemorySeries model = new MemorySeries();
    Store store = open();
    run(store, model, 9 * HOUR);
    assertThat(store.blocks()).isNotEmpty();
    store.close();
    StoreOptions options = options(folder());
    Store limited =
        open(
            new StoreOptions(
                options.folder(),
                false,
                options.retentionMs(),
                1,
                options.blockMs(),
                options.blockMsMax(),
                options.head(),
                options.wal()));
    run(limited, model, 6 * HOUR);
    assertThat(limited.blocks()).isEmpty();
    assertThat(blockFolders()).isZero();
    assertThat(limited.stats().reclaimed()).isGreaterThan(2);
    long from = limited.headStats().minMs();
    assertThat(from).isLessThanOrEqualTo(now - HOUR);
    try (Querier querier = limited.querier(from, now);
        Querier expected = model.querier(from, now)) {
      assertThat(dump(querier)).isEqualTo(dump(expected));
    }
    limited.close();
    assertThat(open().headStats().minMs()).as("not read from the log again").isEqualTo(from);
  }

  @Test
  void deletedSamples_areGoneFromBlocksAndHead() {
    MemorySeries model = new MemorySeries();
    Store store = open();
    run(store, model, 9 * HOUR);
    Matcher one = new Matcher(Matcher.Type.EQUAL, "i", "v1");
    Querier before = store.querier(START, START + HOUR);
    String seen = dump(before);
    store.delete(List.of(one), START + HOUR, START + 3 * HOUR);
    store.delete(List.of(one), now - HOUR, Long.MAX_VALUE);
    MemorySeries left = new MemorySeries();
    for (long t = START; t < now; t += MINUTE) {
      for (int s = 0; s < 4; s++) {
        boolean isDeleted =
            s == 1 && ((t >= START + HOUR && t <= START + 3 * HOUR) || t >= now - HOUR);
        if (!isDeleted) {
          left.add(labels(s), t, value(s, t));
        }
      }
    }
    assertSame(store, left);
    assertThat(dump(before)).isEqualTo(seen);
    before.close();
    assertThat(store.blocks()).anyMatch(meta -> meta.stats().tombstones() > 0);
    store.cleanTombstones();
    assertThat(store.blocks()).noneMatch(meta -> meta.stats().tombstones() > 0);
    assertSame(store, left);
    run(store, left, 12 * HOUR);
    assertSame(store, left);
    store.close();
    assertSame(open(), left);
  }

  @Test
  void everythingDeleted_leavesNoBlock() throws IOException {
    Store store = open();
    run(store, new MemorySeries(), 9 * HOUR);
    store.delete(ALL, Long.MIN_VALUE, Long.MAX_VALUE);
    store.cleanTombstones();
    assertThat(store.blocks()).isEmpty();
    assertThat(blockFolders()).isZero();
    assertSame(store, new MemorySeries());
  }

  @Test
  void snapshot_isAStore() throws IOException {
    MemorySeries model = new MemorySeries();
    Store store = open();
    run(store, model, 9 * HOUR);
    Path snapshot = store.snapshot(false);
    Path blocksOnly = store.snapshot(true);
    assertThat(snapshot.getParent()).isEqualTo(folder().resolve("snapshots"));
    store.delete(ALL, Long.MIN_VALUE, Long.MAX_VALUE);
    store.cleanTombstones();
    store.close();
    assertSame(open(options(snapshot)), model);
    Store without = open(readOnly(options(blocksOnly)));
    assertThat(without.stats().maxMs()).isBetween(now - 4 * HOUR, now - 2 * MINUTE);
    assertThat(told).isEmpty();
  }

  @Test
  void readOnly_writesNothing() throws IOException {
    MemorySeries model = new MemorySeries();
    Store store = open();
    run(store, model, 9 * HOUR);
    Map<String, byte[]> before = files(folder());
    Store beside = open(readOnly(options(folder())));
    assertSame(beside, model);
    assertThatThrownBy(beside::appender).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> beside.delete(ALL, 0, 1)).isInstanceOf(StoreException.class);
    beside.maintain(now);
    beside.close();
    Map<String, byte[]> after = files(folder());
    assertThat(after.keySet()).isEqualTo(before.keySet());
    before.forEach((name, bytes) -> assertThat(after.get(name)).as(name).isEqualTo(bytes));
    assertThatThrownBy(() -> open(readOnly(options(temp.resolve("none")))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("none");
  }

  private static Map<String, byte[]> files(Path folder) throws IOException {
    TreeMap<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.filter(Files::isRegularFile).toList()) {
        if (!path.endsWith("lock")) {
          files.put(folder.relativize(path).toString(), Files.readAllBytes(path));
        }
      }
    }
    return files;
  }

  @Test
  void secondStore_isRefusedAndTold() {
    Store store = open();
    assertThatThrownBy(() -> open())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(folder().toString())
        .hasMessageContaining("process " + ProcessHandle.current().pid())
        .hasMessageContaining("--read-only");
    store.close();
    open();
  }

  @Test
  void unknownFolder_isRefusedAndNotTouched() throws IOException {
    for (List<String> files :
        List.of(
            List.of("notes.txt"),
            List.of("data/small/x", "indexdb/y", "metadata/z", "snapshots/a", "flock.lock"),
            List.of("wal/influx/1/_00001.wal", "data/_internal/x"),
            List.of("lock", "photo.jpg"))) {
      Path folder = Files.createDirectories(temp.resolve("f" + files.hashCode()));
      for (String file : files) {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "x");
      }
      Map<String, byte[]> before = files(folder);
      assertThatThrownBy(() -> open(options(folder)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(files.getFirst().split("/")[0])
          .hasMessageContaining("expected");
      assertThat(files(folder).keySet()).isEqualTo(before.keySet());
      assertThat(Disk.real().list(folder).contains("lock")).isEqualTo(files.contains("lock"));
    }
    Path file = Files.writeString(temp.resolve("file"), "x");
    assertThatThrownBy(() -> open(options(file))).isInstanceOf(StoreException.class);
  }

  @Test
  void knownFolders_areTaken() throws IOException {
    for (String name :
        List.of(
            "wal",
            "chunks_head",
            "lost+found",
            "snapshots",
            "01BKGV7JBM69T2G1BGBGM6KB12.corrupt")) {
      Path folder = temp.resolve("k" + name);
      Files.createDirectories(folder.resolve(name));
      open(options(folder)).close();
    }
    Path beside = Files.createDirectories(temp.resolve("beside"));
    Files.createDirectory(beside.resolve("wal"));
    Files.writeString(beside.resolve("README"), "mine");
    open(options(beside)).close();
    assertThat(beside.resolve("README")).hasContent("mine");
  }

  @Test
  void leftovers_areRemoved() throws IOException {
    open().close();
    String block = "01BKGV7JBM69T2G1BGBGM6KB12";
    for (String name :
        List.of(
            block + ".tmp-for-creation",
            block + ".tmp-for-deletion",
            "wal/checkpoint.00000001.tmp")) {
      Files.createDirectories(folder().resolve(name));
    }
    Store readOnly = open(readOnly(options(folder())));
    readOnly.close();
    assertThat(names()).contains(block + ".tmp-for-creation");
    open();
    assertThat(names()).noneMatch(name -> name.startsWith(block));
    assertThat(Disk.real().list(folder().resolve("wal"))).noneMatch(n -> n.endsWith(".tmp"));
    assertThat(told).hasSize(3);
  }

  @Test
  void corruptBlock_isSetAside() throws IOException {
    Store store = open();
    run(store, new MemorySeries(), 9 * HOUR);
    Path block = folder().resolve(store.blocks().getFirst().ulid().toString());
    long maxMs = store.blocks().getFirst().maxMs();
    store.close();
    byte[] index = Files.readAllBytes(block.resolve("index"));
    Files.write(block.resolve("index"), Arrays.copyOf(index, index.length / 2));
    Files.createDirectory(folder().resolve(block.getFileName() + ".corrupt"));

    Store readOnly = open(readOnly(options(folder())));
    assertThat(readOnly.stats().minMs()).isEqualTo(maxMs);
    readOnly.close();
    assertThat(block).exists();

    Store again = open();
    assertThat(again.stats().minMs()).isEqualTo(maxMs);
    assertThat(again.stats().corruptions()).isEqualTo(1);
    assertThat(block).doesNotExist();
    assertThat(folder().resolve(block.getFileName() + ".corrupt-2").resolve("index"))
        .hasBinaryContent(Arrays.copyOf(index, index.length / 2));
    assertThat(told).hasSize(2);
    assertThat(told.getLast()).contains("index").contains(".corrupt-2");
  }

  @Test
  void damagedChunk_isLeftBehindByCompaction() throws IOException {
    MemorySeries model = new MemorySeries();
    Store store = open();
    run(store, model, 6 * HOUR + 30 * MINUTE);
    List<BlockMeta> blocks = store.blocks();
    assertThat(blocks).hasSize(2);
    Path first = folder().resolve(blocks.getFirst().ulid().toString());
    Path chunks = first.resolve("chunks").resolve("000001");
    byte[] bytes = Files.readAllBytes(chunks);
    bytes[30] ^= 1; // in the first chunk
    Files.write(chunks, bytes);
    run(store, model, 4 * HOUR);
    assertThat(store.blocks()).anyMatch(meta -> meta.level() == 2);
    assertThat(names())
        .contains(first.getFileName() + ".corrupt")
        .doesNotContain(first.getFileName().toString());
    assertThat(told).hasSize(1);
    assertThat(told.getFirst()).contains(chunks.toString());
    try (Querier querier = store.querier(START, START + 2 * HOUR - 1)) {
      SampleColumns columns = new SampleColumns();
      querier.select(ALL).forEach(series -> series.read(START, START + 2 * HOUR, columns));
      assertThat(columns.size()).isEqualTo(360);
    }
    store.close();
    open();
    assertThat(names()).contains(first.getFileName() + ".corrupt");
  }

  @Test
  void newerBlock_isRefusedForWriting() throws IOException {
    Store store = open();
    run(store, new MemorySeries(), 4 * HOUR);
    Path meta = folder().resolve(store.blocks().getFirst().ulid().toString()).resolve("meta.json");
    store.close();
    String text = Files.readString(meta);
    Files.writeString(meta, text.replaceFirst("\"version\"\\s*:\\s*1", "\"version\": 2"), UTF_8);
    assertThatThrownBy(() -> open())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(meta.toString());
    assertThat(meta).exists();
    open(readOnly(options(folder())));
    assertThat(told).hasSize(1);
  }

  @Test
  void logInZstd_isRefusedForWritingAndKept() throws IOException {
    byte[] data = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 1, 2, 3};
    CRC32C crc = new CRC32C();
    crc.update(data);
    ByteBuffer record = ByteBuffer.allocate(7 + data.length);
    record.put((byte) 0x11).putShort((short) data.length).putInt((int) crc.getValue()).put(data);
    Path segment = Files.createDirectories(folder().resolve("wal")).resolve("00000000");
    Files.write(segment, record.array());
    assertThatThrownBy(() -> open())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(segment.toString())
        .hasMessageContaining("zstd");
    assertThat(segment).hasBinaryContent(record.array());
    open(readOnly(options(folder())));
    assertThat(told).singleElement().asString().contains("zstd");
  }

  @Test
  void parents_thatWereLeft_areRemovedAtStart() throws IOException {
    MemorySeries model = new MemorySeries();
    Store store = open();
    run(store, model, 9 * HOUR);
    Path kept = temp.resolve("kept");
    for (BlockMeta meta : store.blocks()) {
      copy(folder().resolve(meta.ulid().toString()), kept.resolve(meta.ulid().toString()));
    }
    List<BlockMeta> before = store.blocks();
    run(store, model, 6 * HOUR);
    store.close();
    for (BlockMeta meta : before) {
      Path block = folder().resolve(meta.ulid().toString());
      if (!Files.exists(block)) {
        copy(kept.resolve(meta.ulid().toString()), block);
      }
    }
    Store again = open();
    assertSame(again, model);
    assertThat(blockFolders()).isEqualTo(again.blocks().size());
  }

  @Test
  void blocks_thatNameEachOtherAsParents_stay() throws IOException {
    MemorySeries model = new MemorySeries();
    Store store = open();
    run(store, model, 9 * HOUR);
    List<BlockMeta> blocks = store.blocks();
    assertThat(blocks).hasSizeGreaterThan(2);
    store.close();
    nameParents(blocks.get(0), List.of(blocks.get(0).asParent()));
    nameParents(blocks.get(1), List.of(blocks.get(2).asParent()));
    nameParents(blocks.get(2), List.of(blocks.get(1).asParent()));
    Store again = open();
    assertThat(again.blocks()).hasSameSizeAs(blocks);
    assertSame(again, model);
  }

  @Test
  void block_whoseFileTellsAnothersName_doesNotTakeThatOneAlong() throws IOException {
    MemorySeries model = new MemorySeries();
    Store store = open();
    run(store, model, 9 * HOUR);
    BlockMeta first = store.blocks().getFirst();
    BlockMeta last = store.blocks().getLast();
    store.close();
    Path folder = folder().resolve(last.ulid().toString());
    last.withUlid(first.ulid()).write(Disk.real(), folder);
    Store again = open();
    assertThat(again.blocks()).extracting(BlockMeta::ulid).contains(first.ulid(), last.ulid());
    again.delete(List.of(new Matcher(Matcher.Type.EQUAL, "__name__", "none")), 0, now);
    again.delete(ALL, last.minMs(), last.minMs());
    assertThat(again.blocks()).extracting(BlockMeta::ulid).contains(first.ulid(), last.ulid());
  }

  @Test
  void folder_thatIsRemovedMeanwhile_isToldAndNotMadeAnew() throws IOException {
    Store store = open();
    run(store, new MemorySeries(), HOUR);
    Disk.real().delete(folder());
    store.maintain(now + 9 * HOUR);
    assertThat(told).singleElement().asString().contains("lock", "removed or replaced");
    assertThat(store.stats().trouble()).contains("removed or replaced");
    assertThat(folder()).doesNotExist();
  }

  @Test
  void deletionOfAll_lastsThoughNoBlockIsLeft() throws IOException {
    Store store = open();
    run(store, new MemorySeries(), 4 * HOUR);
    assertThat(store.blocks()).isNotEmpty();
    store.delete(ALL, Long.MIN_VALUE, Long.MAX_VALUE);
    store.cleanTombstones();
    assertThat(store.blocks()).isEmpty();
    store.close();
    assertSame(open(), new MemorySeries());
  }

  private void nameParents(BlockMeta meta, List<BlockMeta.Parent> parents) throws IOException {
    new BlockMeta(
            meta.ulid(),
            meta.minMs(),
            meta.maxMs(),
            meta.stats(),
            meta.level(),
            meta.sources(),
            parents,
            meta.hints())
        .write(Disk.real(), folder().resolve(meta.ulid().toString()));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path target = to.resolve(from.relativize(path).toString());
        Files.createDirectories(target.getParent());
        Files.copy(path, target);
      }
    }
  }

  @Test
  void options_areChecked() {
    StoreOptions good = options(temp);
    assertThatThrownBy(() -> new StoreOptions(temp, false, 0, 0, 1, 1, good.head(), good.wal()))
        .hasMessageContaining("retentionMs");
    assertThatThrownBy(() -> new StoreOptions(temp, false, 1, -1, 1, 1, good.head(), good.wal()))
        .hasMessageContaining("retentionBytes");
    assertThatThrownBy(() -> new StoreOptions(temp, false, 1, 0, 5, 4, good.head(), good.wal()))
        .hasMessageContaining("blockMsMax");
    assertThatThrownBy(() -> new StoreOptions(temp, false, 1, 0, 5, 9, good.head(), good.wal()))
        .hasMessageContaining("chunkRangeMs");
  }
}
