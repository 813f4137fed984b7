package org.inferometer.tsdb.block;

import java.nio.file.Path;
import java.util.Random;
import org.inferometer.io.SimulatedDisk;
import org.junit.jupiter.api.Test;

/** Files whose sums are right but whose contents aren't. */
class BlockFileTest {
  private static final Path PARENT = Path.of("/blocks");

  @Test
  void chunk_ofNonsenseWithARightSum() {
    for (long seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      byte[] data = new byte[random.nextInt(200)];
      random.nextBytes(data);
      if (data.length > 2) {
        data[0] = 0;
      }
      long minMs = random.nextInt(100);
      BlockFileProperties.checkChunk((byte) random.nextInt(5), data, minMs, minMs + 1_000);
      BlockFileProperties.checkChunk((byte) 1, data, Long.MIN_VALUE, Long.MAX_VALUE);
    }
  }

  @Test
  void chunkFile_withAnyReference() throws Exception {
    byte[] file = part("chunks/000001", 5);
    for (long seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      long offset = random.nextInt(file.length + 20);
      long reference = random.nextInt(9) == 0 ? random.nextLong() : offset;
      BlockFileProperties.checkChunkFile(file, reference, 0, Long.MAX_VALUE);
    }
  }

  private static byte[] part(String name, long seed) throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    disk.createFolders(PARENT);
    BlockMeta meta = new ModelBlock(seed, 6).write(disk, PARENT, 1 << 20);
    return disk.bytes(PARENT.resolve(meta.ulid().toString()).resolve(name));
  }

  @Test
  void index_ofNonsenseWithRightSums() {
    for (long seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      // Two symbols, a series with one label and a chunk, its postings, their table.
      byte[] symbols = {0, 0, 0, 2, 1, 'a', 1, 'b'};
      byte[] series = {1, 0, 1, 1, 10, 20, 8};
      byte[] postings = {0, 0, 0, 1, 0, 0, 0, 2};
      byte[] table = {0, 0, 0, 2, 2, 0, 0, 48, 2, 1, 'a', 1, 'b', 48};
      for (int i = random.nextInt(5); i > 0; i--) {
        byte[] part = new byte[][] {symbols, series, postings, table}[random.nextInt(4)];
        part[random.nextInt(part.length)] = (byte) (random.nextInt(4) == 0 ? random.nextInt() : i);
      }
      BlockFileProperties.checkIndex(BlockFileProperties.index(symbols, series, postings, table));
    }
  }

  @Test
  void index_ofDamagedBytes() throws Exception {
    byte[] index = part("index", 6);
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      byte[] damaged = index.clone();
      for (int i = random.nextInt(3); i >= 0; i--) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      BlockFileProperties.checkIndex(damaged);
    }
  }
}
