package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.inferometer.io.DiskFault;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.model.Labels;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.BlockImport.Outcome;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.Ulid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockImportTest {
  private static final Path FOLDER = Path.of("/data");
  private static final long BLOCK_MS = 7_200_000;
  private static final long START_MS = 1_700_006_400_000L - 1_700_006_400_000L % BLOCK_MS;

  private BlockImport open(SimulatedDisk disk, long memoryBytes) {
    return new BlockImport(disk, FOLDER, () -> 7, new Random(1), BLOCK_MS, memoryBytes);
  }

  /** All samples in all blocks, which have to be whole. */
  private static Map<Labels, Map<Long, Double>> read(SimulatedDisk disk) throws Exception {
    Map<Labels, Map<Long, Double>> found = new TreeMap<>();
    for (String name : disk.list(FOLDER)) {
      if (Ulid.isUlid(name)) {
        try (Block block = Block.open(disk, FOLDER.resolve(name));
            Querier querier = block.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
          querier.select(List.of()).forEach(series -> put(series, found));
          assertThat(querier.warnings()).isEmpty();
        }
      }
    }
    return found;
  }

  private static void put(Series series, Map<Labels, Map<Long, Double>> into) {
    SampleColumns columns = new SampleColumns();
    series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
    Map<Long, Double> samples = into.computeIfAbsent(series.labels(), _ -> new TreeMap<>());
    for (int i = 0; i < columns.size(); i++) {
      assertThat(samples.put(columns.timestampMs(i), columns.value(i))).isNull();
    }
  }

  private static Map<Labels, Map<Long, Double>> addRandom(BlockImport target, long seed, int count)
      throws IOException {
    Random random = new Random(seed);
    Map<Labels, Map<Long, Double>> model = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      Labels labels = Labels.of("__name__", "m" + random.nextInt(5), "a", "" + random.nextInt(9));
      long timestampMs = START_MS + random.nextInt(1000) * 20_000L;
      double value = random.nextInt(3);
      target.add(target.series(labels), timestampMs, value);
      model.computeIfAbsent(labels, _ -> new TreeMap<>()).putIfAbsent(timestampMs, value);
    }
    return model;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1000, 50_000, 1 << 30})
  void samplesInAnyOrder_areInBlocksOnce(long memoryBytes) throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (BlockImport target = open(disk, memoryBytes)) {
      var model = addRandom(target, 2, 1000);
      List<Long> progress = new ArrayList<>();
      Outcome outcome = target.finish((done, total) -> progress.add(total - done));
      assertThat(read(disk)).isEqualTo(model);
      long samples = model.values().stream().mapToLong(Map::size).sum();
      assertThat(outcome.samples()).isEqualTo(samples);
      assertThat(outcome.samples() + outcome.repeated() + outcome.contradicting()).isEqualTo(1000);
      assertThat(outcome.repeated()).isPositive();
      assertThat(outcome.contradicting()).isPositive();
      assertThat(outcome.series()).isEqualTo(model.size());
      assertThat(progress).startsWith(1000L).endsWith(0L).hasSize(4);
    }
    assertThat(disk.list(FOLDER)).hasSize(3).allMatch(Ulid::isUlid);
    assertThat(disk.openFiles()).isZero();
    assertThat(disk.openMappings()).isZero();
  }

  @Test
  void blocks_endAtMultiplesOfTwoHours() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (BlockImport target = open(disk, 1 << 20)) {
      int series = target.series(Labels.of("__name__", "up"));
      for (long offset : new long[] {BLOCK_MS, -1, 0, BLOCK_MS - 1}) {
        target.add(series, START_MS + offset, 1);
      }
      List<BlockMeta> blocks = target.finish((_, _) -> {}).blocks();
      assertThat(blocks).extracting(b -> b.minMs() - START_MS).containsExactly(-1L, 0L, BLOCK_MS);
      assertThat(blocks)
          .extracting(b -> b.maxMs() - START_MS)
          .containsExactly(0L, BLOCK_MS, BLOCK_MS + 1);
      // Else a head that begins behind them would drop what it has before.
      assertThat(blocks).allMatch(BlockMeta::isOutOfOrder);
    }
  }

  @Test
  void nothing_makesNoBlock() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (BlockImport target = open(disk, 1 << 20)) {
      assertThat(target.finish((_, _) -> {}).blocks()).isEmpty();
    }
    assertThat(disk.list(FOLDER)).isEmpty();
  }

  @Test
  void tooManyBlocks_areRefused() throws Exception {
    try (BlockImport target = open(new SimulatedDisk(1), 1 << 30)) {
      int series = target.series(Labels.of("__name__", "up"));
      for (int i = 0; i < BlockImport.BLOCKS_MAX; i++) {
        assertThat(target.add(series, i * BLOCK_MS, 1)).isTrue();
      }
      assertThat(target.add(series, -1, 1)).isFalse();
      assertThat(target.add(series, 0, 1)).isTrue();
    }
  }

  @Test
  void importThatIsGivenUp_leavesNothing() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (BlockImport target = open(disk, 1)) {
      addRandom(target, 2, 100);
      assertThat(disk.list(FOLDER)).hasSize(1);
    }
    assertThat(disk.list(FOLDER)).isEmpty();
  }

  @Test
  void failureOfAnyChange_leavesNothing() throws Exception {
    SimulatedDisk whole = new SimulatedDisk(1);
    try (BlockImport target = open(whole, 1000)) {
      addRandom(target, 2, 80);
      target.finish((_, _) -> {});
    }
    // The last is the removal of the empty staging folder.
    for (long i = 0; i < whole.changes() - 1; i++) {
      SimulatedDisk disk = new SimulatedDisk(1);
      DiskFault fault = disk.fail(DiskFault.ofChanges().after(i));
      try (BlockImport target = open(disk, 1000)) {
        addRandom(target, 2, 80);
        target.finish((_, _) -> {});
        assertThat(fault.failures()).as("change %d:\n%s", i, disk.log()).isZero();
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("/data");
      }
      if (fault.failures() > 0) {
        assertThat(disk.list(FOLDER)).as("change %d:\n%s", i, disk.log()).isEmpty();
      }
    }
  }

  @Test
  void powerCutAtAnyChange_leavesWholeBlocksOnly() throws Exception {
    Random random = new Random(4);
    SimulatedDisk disk = new SimulatedDisk(1);
    List<SimulatedDisk> afterCuts = new ArrayList<>();
    disk.watch(
        operation -> {
          if (operation.kind().changes()) {
            afterCuts.add(disk.powerCut(random));
          }
        });
    Map<Labels, Map<Long, Double>> model;
    try (BlockImport target = open(disk, 1000)) {
      model = addRandom(target, 2, 80);
      target.finish((_, _) -> {});
    }
    for (SimulatedDisk afterCut : afterCuts) {
      read(afterCut)
          .forEach(
              (labels, samples) -> assertThat(model.get(labels)).containsAllEntriesOf(samples));
      assertThat(afterCut.list(FOLDER))
          .allMatch(name -> Ulid.isUlid(name) || name.endsWith(".tmp-for-creation"));
    }
    assertThat(read(disk.powerCut(SimulatedDisk.Loss.ALL, random))).isEqualTo(model);
  }
}
