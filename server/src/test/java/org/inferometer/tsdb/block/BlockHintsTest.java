package org.inferometer.tsdb.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.model.Labels;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.tsdb.chunk.Chunk;
import org.junit.jupiter.api.Test;

/** What histograms of a block say of the ones before them. */
class BlockHintsTest {
  private static final Path PARENT = Path.of("/blocks");

  private final SimulatedDisk disk = new SimulatedDisk(1);

  /** A chunk of a counter that a reset began. */
  private static Chunk chunk(long firstMs, long stepMs, int count) {
    SampleColumns columns = new SampleColumns();
    for (int i = 0; i < count; i++) {
      NativeHistogram histogram =
          NativeHistogram.exponential(0, i + 1, i, 0, 0, Buckets.from(0, i + 1), Buckets.NONE);
      columns.add(
          firstMs + i * stepMs, histogram.withHint(i == 0 ? ResetHint.RESET : ResetHint.NOT_RESET));
    }
    return ModelBlock.chunks(columns).getFirst();
  }

  private List<ResetHint> hints(BlockMeta meta, long fromMs) throws Exception {
    try (Block block = Block.open(disk, PARENT.resolve(meta.ulid().toString()));
        Querier querier = block.querier(0, Long.MAX_VALUE)) {
      SampleColumns read = new SampleColumns();
      querier.select(List.of()).getFirst().read(fromMs, Long.MAX_VALUE, read);
      return IntStream.range(0, read.size())
          .mapToObj(i -> Objects.requireNonNull(read.histogram(i)).resetHint())
          .toList();
    }
  }

  private BlockMeta write(Chunk... chunks) throws Exception {
    return ForeignBlock.write(disk, PARENT, 1, Labels.of("a", "b"), List.of(chunks));
  }

  private static final long START = ModelBlock.START_MS;
  private static final ResetHint U = ResetHint.UNKNOWN;
  private static final ResetHint R = ResetHint.RESET;
  private static final ResetHint N = ResetHint.NOT_RESET;

  @Test
  void read_ofChunksInOrderKeepsThem() throws Exception {
    BlockMeta meta = write(chunk(START, 10, 3), chunk(START + 100, 10, 2));
    assertThat(hints(meta, 0)).containsExactly(R, N, N, R, N);
  }

  @Test
  void read_ofOverlappingChunksForgetsThemWhereRunsMeet() throws Exception {
    BlockMeta meta = write(chunk(START, 10, 3), chunk(START + 5, 2, 2), chunk(START + 50, 1, 1));
    // 0 | 5 7 | 10 20 | 50
    assertThat(hints(meta, 0)).containsExactly(R, U, N, U, N, U);
  }

  @Test
  void read_behindADeletedStretchForgetsThem() throws Exception {
    BlockMeta meta =
        write(chunk(START, 10, 4), chunk(START + 100, 10, 2), chunk(START + 200, 1, 2));
    Path folder = PARENT.resolve(meta.ulid().toString());
    try (Block block = Block.open(disk, folder)) {
      int id = block.index().allIds().get(0);
      block
          .tombstones()
          .with(id, START + 10, START + 20)
          .with(id, START + 100, START + 120)
          .write(disk, folder);
    }
    assertThat(hints(meta, 0)).containsExactly(U, U, U, N);
  }

  @Test
  void read_behindADamagedChunkForgetsThem() throws Exception {
    BlockMeta meta =
        write(chunk(START, 10, 2), chunk(START + 100, 10, 2), chunk(START + 200, 1, 2));
    Path file = PARENT.resolve(meta.ulid().toString()).resolve("chunks/000001");
    Chunk first = chunk(START, 10, 2);
    disk.flipBit(file, 8L * (8 + 2 + first.toBytes().length + 4 + 10));
    assertThat(hints(meta, 0)).containsExactly(R, N, U, N);
  }
}
