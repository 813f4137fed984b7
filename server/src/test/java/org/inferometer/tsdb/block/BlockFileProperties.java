package org.inferometer.tsdb.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.CRC32C;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.chunk.CorruptChunkException;

/** What holds for any bytes that are read as an index or as chunks. */
final class BlockFileProperties {
  private static final Path FOLDER = Path.of("/block");
  private static final Path CHUNKS = FOLDER.resolve("chunks");
  private static final Path INDEX = FOLDER.resolve("index");

  private BlockFileProperties() {}

  private static SimulatedDisk disk() {
    SimulatedDisk disk = new SimulatedDisk(1);
    try {
      disk.createFolders(CHUNKS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return disk;
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size);
  }

  private static int sum(byte[]... parts) {
    CRC32C crc = new CRC32C();
    for (byte[] part : parts) {
      crc.update(part);
    }
    return (int) crc.getValue();
  }

  /** Any data as a chunk whose sum is right. */
  static void checkChunk(byte encoding, byte[] data, long minMs, long maxMs) {
    ByteOutput chunk = new ByteOutput();
    byte[] head = buffer(8).putInt(ChunkFormat.MAGIC).put((byte) 1).array();
    chunk.bytes(head, head.length);
    chunk.uvarint(data.length);
    chunk.u8(encoding);
    chunk.bytes(data, data.length);
    byte[] sum = buffer(4).putInt(sum(new byte[] {encoding}, data)).array();
    chunk.bytes(sum, sum.length);
    checkChunkFile(Arrays.copyOf(chunk.bytes(), chunk.size()), 8, minMs, maxMs);
  }

  static void checkChunkFile(byte[] file, long reference, long minMs, long maxMs) {
    SimulatedDisk disk = disk();
    disk.put(CHUNKS.resolve("000001"), file);
    try (ChunkFiles files = ChunkFiles.open(disk, CHUNKS)) {
      SampleColumns columns = new SampleColumns();
      files.load(reference, minMs, maxMs).read(minMs, maxMs, columns);
    } catch (CorruptBlockException | CorruptChunkException e) {
      assertThat(e.getMessage()).isNotEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An index of parts whose sums are right; the postings of all are at the start of theirs. */
  static byte[] index(byte[] symbols, byte[] series, byte[] postings, byte[] table) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(buffer(5).putInt(IndexFormat.MAGIC).put((byte) 2).array());
    long symbolsAt = section(out, symbols);
    align(out);
    long seriesAt = out.size();
    ByteOutput length = new ByteOutput();
    length.uvarint(series.length);
    out.write(length.bytes(), 0, length.size());
    out.writeBytes(series);
    out.writeBytes(buffer(4).putInt(sum(series)).array());
    align(out);
    long postingsAt = section(out, postings);
    long tableAt = section(out, table);
    byte[] contents =
        buffer(48)
            .putLong(symbolsAt)
            .putLong(seriesAt)
            .putLong(postingsAt)
            .putLong(postingsAt)
            .putLong(postingsAt)
            .putLong(tableAt)
            .array();
    out.writeBytes(contents);
    out.writeBytes(buffer(4).putInt(sum(contents)).array());
    return out.toByteArray();
  }

  private static void align(ByteArrayOutputStream out) {
    while (out.size() % 16 != 0) {
      out.write(0);
    }
  }

  private static long section(ByteArrayOutputStream out, byte[] content) {
    long at = out.size();
    out.writeBytes(buffer(4).putInt(content.length).array());
    out.writeBytes(content);
    out.writeBytes(buffer(4).putInt(sum(content)).array());
    return at;
  }

  static void checkIndex(byte[] bytes) {
    SimulatedDisk disk = disk();
    disk.put(INDEX, bytes);
    try (BlockIndex index = BlockIndex.open(disk, INDEX);
        ChunkFiles files = ChunkFiles.open(disk, CHUNKS)) {
      Damages damages = new Damages("x", new LongAdder());
      try (BlockQuerier querier =
          new BlockQuerier(
              index, files, Tombstones.NONE, damages, Long.MIN_VALUE, Long.MAX_VALUE)) {
        walk(querier);
      }
    } catch (CorruptBlockException e) {
      assertThat(e).hasMessageContaining("index");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void walk(Querier querier) {
    for (Series series : querier.select(List.of())) {
      series.read(0, Long.MAX_VALUE, new SampleColumns());
    }
    for (String name : querier.labelNames(List.of())) {
      for (String value : querier.labelValues(name, List.of())) {
        querier.select(List.of(Matcher.equal(name, value)));
      }
      querier.select(List.of(new Matcher(Matcher.Type.NOT_EQUAL, name, "a")));
    }
    assertThat(querier.labelNames(List.of(Matcher.equal(Labels.NAME, "")))).isNotNull();
    assertThat(querier.warnings().size()).isLessThan(30);
  }
}
