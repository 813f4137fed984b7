package org.inferometer.tsdb.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.io.Disk;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.Utf8Order;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.inferometer.tsdb.chunk.StoredChunk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockTest {
  private static final Path PARENT = Path.of("/blocks");

  private final SimulatedDisk disk = new SimulatedDisk(1);

  private static Path folder(BlockMeta meta) {
    return PARENT.resolve(meta.ulid().toString());
  }

  private Block open(BlockMeta meta) throws IOException, CorruptBlockException {
    return Block.open(disk, folder(meta));
  }

  private BlockMeta write(ModelBlock model, long chunkFileBytesMax) throws IOException {
    disk.createFolders(PARENT);
    return model.write(disk, PARENT, chunkFileBytesMax);
  }

  @Test
  void querier_asTheModel() throws Exception {
    for (long seed = 0; seed < 25; seed++) {
      ModelBlock model = new ModelBlock(seed);
      BlockMeta meta = write(model, seed % 3 == 0 ? 4_000 : 1 << 20);
      Random random = new Random(seed);
      try (Block block = open(meta)) {
        assertThat(block.meta()).isEqualTo(meta);
        for (int i = 0; i < 20; i++) {
          assertSame(model, block, random, "seed " + seed);
        }
        assertThat(block.corruptions()).isZero();
      }
      assertThat(Block.verify(disk, folder(meta)).problems()).as("seed " + seed).isEmpty();
    }
    assertThat(disk.openFiles() + disk.openMappings()).isZero();
  }

  private static void assertSame(ModelBlock model, Block block, Random random, String what) {
    List<Matcher> matchers = model.randomMatchers(random);
    long minMs = ModelBlock.START_MS + random.nextInt(7_200_000);
    long maxMs = minMs + random.nextInt(random.nextBoolean() ? 20_000 : 7_200_000);
    try (Querier querier = block.querier(minMs, maxMs)) {
      assertThat(ModelBlock.read(querier, matchers))
          .as(what + " " + matchers)
          .isEqualTo(model.select(matchers, minMs, maxMs));
      TreeSet<String> names = new TreeSet<>(Utf8Order.INSTANCE);
      TreeSet<String> values = new TreeSet<>(Utf8Order.INSTANCE);
      for (Labels labels : model.samples().keySet()) {
        if (matchers.stream().allMatch(m -> m.matches(labels))) {
          labels.forEach((name, value) -> names.add(name));
          values.add(labels.get("zone"));
        }
      }
      values.remove("");
      assertThat(querier.labelNames(matchers)).as(what).containsExactlyElementsOf(names);
      assertThat(querier.labelValues("zone", matchers)).containsExactlyElementsOf(values);
      assertThat(querier.warnings()).isEmpty();
    }
  }

  @Test
  void querier_besideTheBlock() throws Exception {
    try (Block block = open(write(new ModelBlock(1), 1 << 20));
        Querier querier = block.querier(0, ModelBlock.START_MS - 1)) {
      assertThat(querier.select(List.of())).isEmpty();
      assertThat(querier.labelNames(List.of())).isEmpty();
      assertThat(querier.labelValues("id", List.of())).isEmpty();
    }
  }

  @Test
  void read_ofAPart() throws Exception {
    for (long seed = 0; seed < 40; seed++) {
      ModelBlock model = new ModelBlock(seed, 5);
      Random random = new Random(seed);
      try (Block block = open(write(model, 1 << 20));
          Querier querier = block.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
        for (var series : querier.select(List.of())) {
          SampleColumns all = Objects.requireNonNull(model.samples().get(series.labels()));
          long from = ModelBlock.START_MS + random.nextInt(7_200_000);
          long to = from + random.nextInt(3_600_000);
          SampleColumns part = new SampleColumns(1);
          part.add(Long.MAX_VALUE, 1); // what is there stays, whatever it is
          series.read(from, to, part);
          part.remove(0, 1);
          assertThat(ModelBlock.text(part, Long.MIN_VALUE, Long.MAX_VALUE))
              .isEqualTo(ModelBlock.text(all, from, to));
        }
      }
    }
  }

  @Test
  void series_givesABlockAgain() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      ModelBlock model = new ModelBlock(seed);
      BlockMeta first = write(model, 1 << 20);
      Ulid ulid = Ulid.of(ModelBlock.END_MS, new Random(seed));
      BlockMeta copy = copy(first, ulid);
      assertThat(copy.stats()).isEqualTo(first.stats());
      for (String file : List.of("index", "chunks/000001", "tombstones")) {
        assertThat(disk.bytes(folder(copy).resolve(file)))
            .as("seed " + seed + " " + file)
            .isEqualTo(disk.bytes(folder(first).resolve(file)));
      }
    }
  }

  private BlockMeta copy(BlockMeta meta, Ulid ulid) throws Exception {
    try (Block block = open(meta);
        BlockWriter writer = new BlockWriter(disk, PARENT, ulid)) {
      Iterator<SeriesChunks> series = block.series(Long.MIN_VALUE, Long.MAX_VALUE);
      while (series.hasNext()) {
        writer.add(series.next());
      }
      return Objects.requireNonNull(
          writer.finish(BlockWriter.ofHead(ulid, meta.minMs(), meta.maxMs(), List.of())));
    }
  }

  @Test
  void series_ofAPartHasItsChunks() throws Exception {
    ModelBlock model = new ModelBlock(3, 40);
    long from = ModelBlock.START_MS + 2_000_000;
    long to = from + 1_000_000;
    Set<Labels> seen = new HashSet<>();
    try (Block block = open(write(model, 1 << 20))) {
      block
          .series(from, to)
          .forEachRemaining(
              series -> {
                seen.add(series.labels());
                SampleColumns read = new SampleColumns();
                for (StoredChunk chunk : series.chunks()) {
                  assertThat(chunk.maxMs()).isGreaterThanOrEqualTo(from);
                  assertThat(chunk.minMs()).isLessThan(to);
                  chunk.load().read(from, to - 1, read);
                }
                assertThat(ModelBlock.text(read, from, to))
                    .isEqualTo(
                        ModelBlock.text(
                            Objects.requireNonNull(model.samples().get(series.labels())),
                            from,
                            to - 1));
              });
    }
    model
        .samples()
        .forEach(
            (labels, columns) -> {
              if (!ModelBlock.text(columns, from, to - 1).isEmpty()) {
                assertThat(seen).contains(labels);
              }
            });
  }

  @Test
  void tombstones_hideSamples() throws Exception {
    for (long seed = 0; seed < 12; seed++) {
      ModelBlock model = new ModelBlock(seed, 12);
      BlockMeta meta = write(model, 1 << 20);
      Random random = new Random(seed);
      Map<Labels, SampleColumns> left = new TreeMap<>(model.samples());
      try (Block block = open(meta)) {
        Tombstones marks = block.tombstones();
        for (int i = 0; i < 3; i++) {
          List<Matcher> matchers = model.randomMatchers(random);
          long minMs = ModelBlock.START_MS + random.nextInt(5_000_000);
          long maxMs = minMs + random.nextInt(4_000_000);
          marks = delete(block, marks, matchers, minMs, maxMs);
          left.replaceAll(
              (labels, columns) ->
                  matchers.stream().allMatch(m -> m.matches(labels))
                      ? without(columns, minMs, maxMs)
                      : columns);
        }
        marks.write(disk, folder(meta));
      }
      model.samples().putAll(left);
      try (Block block = open(meta)) {
        for (int i = 0; i < 10; i++) {
          long minMs = ModelBlock.START_MS + random.nextInt(7_200_000);
          long maxMs = minMs + random.nextInt(7_200_000);
          assertThat(ModelBlock.read(block.querier(minMs, maxMs), List.of()))
              .as("seed " + seed)
              .isEqualTo(model.select(List.of(), minMs, maxMs));
        }
      }
      assertThat(Block.verify(disk, folder(meta)).problems()).isEmpty();
      BlockMeta clean = copy(meta, Ulid.of(seed, random));
      try (Block block = open(clean)) {
        assertThat(ModelBlock.read(block.querier(0, Long.MAX_VALUE), List.of()))
            .isEqualTo(model.select(List.of(), 0, Long.MAX_VALUE));
      }
    }
  }

  /** Through a block that knows only its own marks. */
  private static Tombstones delete(
      Block block, Tombstones marks, List<Matcher> matchers, long minMs, long maxMs) {
    Tombstones added = block.withDeleted(matchers, minMs, maxMs);
    Tombstones.Builder both = new Tombstones.Builder(marks);
    added
        .bySeries()
        .forEach(
            (id, times) -> {
              for (int i = 0; i < times.length; i += 2) {
                both.add(id, times[i], times[i + 1]);
              }
            });
    return both.build();
  }

  private static SampleColumns without(SampleColumns columns, long minMs, long maxMs) {
    SampleColumns left = new SampleColumns();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.timestampMs(i) < minMs || columns.timestampMs(i) > maxMs) {
        left.addAll(columns, i, i + 1);
      }
    }
    return left;
  }

  /** What one bit of a block's files can do: nothing wrong is read, and what isn't is told of. */
  @Test
  void flippedBit_anywhere() throws Exception {
    ModelBlock model = new ModelBlock(7, 12);
    BlockMeta meta = write(model, 3_000);
    Set<String> whole = new HashSet<>(model.select(List.of(), 0, Long.MAX_VALUE));
    Random random = new Random(7);
    List<List<Matcher>> selections =
        List.of(
            List.of(Matcher.equal("zone", "a")),
            List.of(new Matcher(Matcher.Type.NOT_EQUAL, "zone", "a")),
            List.of(new Matcher(Matcher.Type.REGEX, "id", "[1-5]")),
            List.of(new Matcher(Matcher.Type.NOT_REGEX, "zone", "a|b|")));
    int refused = 0;
    int warned = 0;
    for (Path file : disk.files(folder(meta))) {
      long bits = disk.size(file) * 8;
      boolean isMeta = file.endsWith(BlockMeta.FILE);
      for (int i = 0; i < 300 && !isMeta; i++) {
        long bit = random.nextLong(bits);
        disk.flipBit(file, bit);
        String what = file + " bit " + bit;
        try (Block block = open(meta)) {
          warned += assertIntact(block, List.of(), whole, what) ? 0 : 1;
          for (List<Matcher> matchers : selections) {
            Set<String> selected = Set.copyOf(model.select(matchers, 0, Long.MAX_VALUE));
            assertIntact(block, matchers, selected, what + matchers);
          }
          if (disk.exists(file) && !isPadding(file, bit / 8)) {
            assertThat(Block.verify(disk, folder(meta)).isSound()).as(what).isFalse();
          }
        } catch (CorruptBlockException e) {
          assertThat(e).as(what).hasMessageContaining(file.toString());
          refused++;
        }
        disk.flipBit(file, bit);
      }
    }
    assertThat(refused).isGreaterThan(100);
    assertThat(warned).isGreaterThan(100);
    assertThat(disk.openMappings()).isZero();
  }

  /** Bytes that nothing depends on. */
  private boolean isPadding(Path file, long offset) throws IOException {
    boolean isHead = offset >= 5 && offset < 8 && file.toString().contains("chunks");
    return isHead || file.endsWith("index");
  }

  /** Whether all is there; what there is is right, and what isn't is told of. */
  private static boolean assertIntact(
      Block block, List<Matcher> matchers, Set<String> whole, String what) {
    try (Querier querier = block.querier(0, Long.MAX_VALUE)) {
      List<String> read = ModelBlock.read(querier, matchers);
      boolean isWhole = Set.copyOf(read).equals(whole);
      if (querier.warnings().isEmpty()) {
        assertThat(isWhole).as(what).isTrue();
      } else {
        assertThat(block.corruptions()).as(what).isPositive();
        assertThat(querier.warnings().getFirst()).contains("block " + block.meta().ulid());
        read.forEach(text -> assertThat(isPartOf(text, whole)).as(what + text).isTrue());
      }
      return isWhole;
    }
  }

  /** Whether labels and samples are those of a series, some of which may be missing. */
  private static boolean isPartOf(String text, Set<String> whole) {
    String[] words = text.split(" (?=1700\\d{9} )", -1);
    return whole.stream()
        .filter(w -> w.startsWith(words[0]))
        .anyMatch(w -> List.of(w.split(" (?=1700\\d{9} )", -1)).containsAll(List.of(words)));
  }

  @Test
  void cutOffFile_isRefusedOrToldOf() throws Exception {
    ModelBlock model = new ModelBlock(8, 12);
    BlockMeta meta = write(model, 3_000);
    Set<String> whole = new HashSet<>(model.select(List.of(), 0, Long.MAX_VALUE));
    Random random = new Random(8);
    for (Path file : disk.files(folder(meta))) {
      byte[] bytes = disk.bytes(file);
      for (int i = 0; i < 40; i++) {
        int size = i == 0 ? 0 : random.nextInt(bytes.length);
        disk.cutOff(file, size);
        String what = file + " cut off at " + size;
        try (Block block = open(meta)) {
          assertThat(file.toString()).as(what).contains("chunks");
          assertThat(assertIntact(block, List.of(), whole, what)).as(what).isFalse();
        } catch (CorruptBlockException e) {
          assertThat(e).as(what).hasMessageContaining(file.toString());
        }
        disk.put(file, bytes);
      }
    }
  }

  @Test
  void missingFile_isRefused() throws Exception {
    ModelBlock model = new ModelBlock(9, 12);
    BlockMeta meta = write(model, 3_000);
    for (String name : List.of("index", "meta.json", "chunks/000001")) {
      Path file = folder(meta).resolve(name);
      byte[] bytes = disk.bytes(file);
      disk.delete(file);
      assertThatThrownBy(() -> open(meta)).isInstanceOf(CorruptBlockException.class);
      disk.put(file, bytes);
    }
    disk.delete(folder(meta).resolve("tombstones"));
    disk.put(folder(meta).resolve("chunks/README"), new byte[3]);
    open(meta).close();
    disk.delete(folder(meta).resolve("chunks"));
    assertThatThrownBy(() -> open(meta))
        .isInstanceOf(CorruptBlockException.class)
        .hasMessageContaining("chunks: expected files of");
  }

  @Test
  void series_ofDamagedChunkNamesThePlace() throws Exception {
    ModelBlock model = new ModelBlock(10, 3);
    BlockMeta meta = write(model, 1 << 20);
    disk.flipBit(folder(meta).resolve("chunks/000001"), 15 * 8L);
    try (Block block = open(meta)) {
      StoredChunk chunk = block.series(0, Long.MAX_VALUE).next().chunks().getFirst();
      assertThatThrownBy(chunk::load)
          .hasMessageContaining("chunks/000001 at offset 8")
          .hasMessageContaining("CRC32C");
    }
  }

  @Test
  void series_ofDamagedIndexFails() throws Exception {
    ModelBlock model = new ModelBlock(11, 3);
    BlockMeta meta = write(model, 1 << 20);
    Path file = folder(meta).resolve("index");
    try (Block block = open(meta)) {
      int id = block.index().allIds().get(0);
      disk.flipBit(file, 16L * 8 * id + 30);
    }
    try (Block block = open(meta)) {
      assertThatThrownBy(() -> block.series(0, Long.MAX_VALUE).next())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("index: expected a series at offset");
    }
  }

  /** As someone who cuts a file off under a program does it. */
  @Test
  void querier_ofAFileThatIsCutOffWhileMapped(@TempDir Path real) throws Exception {
    ModelBlock model = new ModelBlock(12, 200);
    BlockMeta meta = model.write(Disk.real(), real, 1 << 20);
    Path folder = real.resolve(meta.ulid().toString());
    for (String name : List.of("chunks/000001", "index")) {
      Path file = folder.resolve(name);
      byte[] bytes = Files.readAllBytes(file);
      try (Block block = Block.open(Disk.real(), folder)) {
        try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
          channel.truncate(0);
        }
        try (Querier querier = block.querier(0, Long.MAX_VALUE)) {
          ModelBlock.read(querier, List.of()).forEach(text -> assertThat(text).endsWith("}"));
          assertThat(querier.warnings()).isNotEmpty();
        }
      }
      Files.write(file, bytes);
    }
  }

  @Test
  void overlappingChunks_areMergedAndTheFirstWins() throws Exception {
    for (long seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      TreeMap<Long, Double> expected = new TreeMap<>();
      List<Chunk> chunks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        SampleColumns columns = new SampleColumns();
        long timeMs = ModelBlock.START_MS + random.nextInt(100);
        for (int j = 0; j < 30; j++) {
          columns.add(timeMs, 100 * i + j);
          expected.putIfAbsent(timeMs, 100.0 * i + j);
          timeMs += 1 + random.nextInt(9);
        }
        chunks.addAll(ModelBlock.chunks(columns).stream().map(StoredChunk::load).toList());
      }
      BlockMeta meta = ForeignBlock.write(disk, PARENT, seed, Labels.of("a", "b"), chunks);
      try (Block block = open(meta);
          Querier querier = block.querier(0, Long.MAX_VALUE)) {
        SampleColumns read = new SampleColumns();
        querier.select(List.of()).getFirst().read(0, Long.MAX_VALUE, read);
        TreeMap<Long, Double> actual = new TreeMap<>();
        for (int i = 0; i < read.size(); i++) {
          actual.put(read.timestampMs(i), read.value(i));
          assertThat(i == 0 || read.timestampMs(i - 1) < read.timestampMs(i)).isTrue();
        }
        assertThat(actual).as("seed " + seed).isEqualTo(expected);
        assertThat(querier.warnings()).isEmpty();
      }
    }
  }
}
