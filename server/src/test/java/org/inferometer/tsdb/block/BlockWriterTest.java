package org.inferometer.tsdb.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.inferometer.io.DiskFault;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.model.Labels;
import org.inferometer.store.SampleColumns;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.junit.jupiter.api.Test;

class BlockWriterTest {
  private static final Path PARENT = Path.of("/blocks");
  private static final Ulid ULID = Ulid.of(1_700_000_000_000L, new Random(1));

  private static SimulatedDisk disk() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    disk.createFolders(PARENT);
    disk.syncAll();
    return disk;
  }

  private static SeriesChunks series(String name, long... timesMs) {
    SampleColumns columns = new SampleColumns();
    for (long timeMs : timesMs) {
      columns.add(timeMs, 1);
    }
    return ModelBlock.series(Labels.of("__name__", name), columns);
  }

  @Test
  void finish_ofNothingMakesNoBlock() throws Exception {
    SimulatedDisk disk = disk();
    try (BlockWriter writer = new BlockWriter(disk, PARENT, ULID)) {
      writer.add(new SeriesChunks(Labels.of("a", "b"), List.of()));
      assertThat(writer.finish(BlockWriter.ofHead(ULID, 0, 1, List.of()))).isNull();
    }
    assertThat(disk.list(PARENT)).isEmpty();
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void add_wantsOrder() throws Exception {
    try (BlockWriter writer = new BlockWriter(disk(), PARENT, ULID)) {
      writer.add(series("b", 1, 2));
      assertThatThrownBy(() -> writer.add(series("b", 3)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.add(series("a", 3)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected a series after b, got a");
      List<SeriesChunks> overlapping = List.of(series("c", 1, 5), series("c", 5, 6));
      assertThatThrownBy(
              () ->
                  writer.add(
                      new SeriesChunks(
                          Labels.of("__name__", "c"),
                          overlapping.stream().flatMap(s -> s.chunks().stream()).toList())))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected a chunk of c after 5, got one from 5 to 6");
    }
  }

  @Test
  void finish_lasts() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      SimulatedDisk disk = disk();
      BlockMeta meta = new ModelBlock(seed).write(disk, PARENT, 4_000);
      SimulatedDisk after = disk.powerCut(new Random(seed));
      assertThat(after.list(PARENT)).containsExactly(meta.ulid().toString());
      assertThat(Block.verify(after, PARENT.resolve(meta.ulid().toString())).problems()).isEmpty();
    }
  }

  @Test
  void powerCut_leavesAWholeBlockOrNone() throws Exception {
    ModelBlock model = new ModelBlock(5, 20);
    Random random = new Random(5);
    SimulatedDisk disk = disk();
    Set<String> seen = new HashSet<>();
    disk.watch(
        operation -> {
          SimulatedDisk after = disk.powerCut(random);
          try {
            for (String name : after.list(PARENT)) {
              boolean isBlock = Ulid.isUlid(name);
              seen.add(isBlock ? "block" : "unfinished");
              assertThat(isBlock || name.endsWith(BlockWriter.CREATING_SUFFIX)).isTrue();
              if (isBlock) {
                assertThat(Block.verify(after, PARENT.resolve(name)).problems()).isEmpty();
              }
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    model.write(disk, PARENT, 4_000);
    assertThat(seen).containsExactlyInAnyOrder("block", "unfinished");
  }

  /** Each step fails once, or it and all that follow, so that nothing can be removed. */
  @Test
  void failure_leavesNoBlock() throws Exception {
    for (int step = 0; step < 10_000; step++) {
      for (boolean forGood : new boolean[] {false, true}) {
        SimulatedDisk disk = disk();
        DiskFault fault = DiskFault.ofChanges().after(step).leaving(3);
        disk.fail(forGood ? fault.forGood() : fault);
        if (!failed(disk)) {
          assertThat(step).isGreaterThan(20);
          return;
        }
        disk.heal();
        for (String left : disk.list(PARENT)) {
          assertThat(forGood).as("step " + step + " left " + left).isTrue();
          if (Ulid.isUlid(left)) { // it has its name, which can't be taken back, but is whole
            assertThat(Block.verify(disk, PARENT.resolve(left)).problems()).isEmpty();
            disk.delete(PARENT.resolve(left));
          }
        }
        assertThat(disk.openFiles() + disk.openMappings()).as("step " + step).isZero();
        new ModelBlock(6, 3).write(disk, PARENT, 4_000);
      }
    }
  }

  private static boolean failed(SimulatedDisk disk) {
    try {
      new ModelBlock(6, 3).write(disk, PARENT, 4_000);
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
