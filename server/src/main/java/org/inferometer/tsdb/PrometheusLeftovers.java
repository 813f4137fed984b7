package org.inferometer.tsdb;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.inferometer.io.Disk;
import org.inferometer.io.MappedFile;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.inferometer.tsdb.chunk.Encoding;

/**
 * What a head of Prometheus keeps beside its log: chunks that it maps, and snapshots of all it had.
 * All their samples are in the log as well, so they are only read where the log is damaged.
 *
 * <pre>
 * file      01 30 bc 91   version 1 (1 byte)   0 0 0   chunk*
 * chunk     series (8 bytes)  first time (8)  last time (8)  encoding (1)  length (uvarint)  data
 *           CRC-32C of all these (4 bytes)
 * </pre>
 *
 * Numbers are big-endian; the highest bit of an encoding marks a chunk of late samples.
 */
final class PrometheusLeftovers {
  private static final String CHUNKS = "chunks_head";
  private static final String SNAPSHOT = "chunk_snapshot.";
  private static final int MAGIC = 0x0130BC91;
  private static final int HEADER_BYTES = 8;
  private static final int FIXED_BYTES = 8 + 8 + 8 + 1;
  private static final int CRC_BYTES = 4;
  private static final int LATE = 0x80;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Takes the chunks that can be read. */
  @FunctionalInterface
  interface Visitor {
    void chunk(long ref, boolean isLate, Chunk chunk);
  }

  private final Disk disk;
  private final Path folder;

  PrometheusLeftovers(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
  }

  /** Goes through all chunks; of a damaged file, those before the damage. */
  void forEachChunk(Visitor visitor, List<String> problems) throws IOException {
    Path chunks = folder.resolve(CHUNKS);
    for (String name : disk.list(chunks)) {
      if (name.matches("\\d{6,}") && disk.size(chunks.resolve(name)) > HEADER_BYTES) {
        try (MappedFile file = disk.map(chunks.resolve(name))) {
          read(file.bytes(), visitor);
        } catch (CorruptChunkException e) {
          problems.add(chunks.resolve(name) + ": " + e.getMessage());
        }
      }
    }
  }

  private static void read(MemorySegment file, Visitor visitor) {
    if (file.get(INT, 0) != MAGIC) {
      throw new CorruptChunkException(
          "expected a file that begins with %08x, got %08x".formatted(MAGIC, file.get(INT, 0)));
    }
    long offset = HEADER_BYTES;
    // Files are made longer than what is written: zeros follow.
    while (offset + FIXED_BYTES < file.byteSize() && file.get(LONG, offset) != 0) {
      offset = readChunk(file, offset, visitor);
    }
  }

  private static long readChunk(MemorySegment file, long offset, Visitor visitor) {
    long at = offset + FIXED_BYTES;
    long length = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = at < file.byteSize() ? file.get(ValueLayout.JAVA_BYTE, at++) & 0xff : 0;
      length |= (next & 0x7fL) << shift;
      if (next < 0x80) {
        break;
      }
    }
    long end = at + length;
    if (end + CRC_BYTES > file.byteSize()) {
      throw new CorruptChunkException(
          "offset %d: expected a chunk within the file, got one of %d bytes"
              .formatted(offset, length));
    }
    check(file, offset, end);
    int encoding = file.get(ValueLayout.JAVA_BYTE, offset + FIXED_BYTES - 1) & 0xff;
    byte[] data = file.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    Chunk chunk = Chunk.parse(Encoding.ofNumber(encoding & ~LATE), data);
    visitor.chunk(file.get(LONG, offset), (encoding & LATE) != 0, chunk);
    return end + CRC_BYTES;
  }

  private static void check(MemorySegment file, long from, long to) {
    CRC32C crc = new CRC32C();
    crc.update(file.asSlice(from, to - from).asByteBuffer());
    int found = file.get(INT, to);
    if ((int) crc.getValue() != found) {
      throw new CorruptChunkException(
          "offset %d: expected a chunk with checksum %08x, got %08x"
              .formatted(from, (int) crc.getValue(), found));
    }
  }

  /**
   * Removes what would mislead Prometheus once the log goes on without it.
   *
   * @param keepsChunks whether the chunks are set aside instead
   */
  void remove(boolean keepsChunks) throws IOException {
    for (String name : disk.list(folder)) {
      if (name.startsWith(SNAPSHOT)) {
        disk.delete(folder.resolve(name));
      }
    }
    Path chunks = folder.resolve(CHUNKS);
    if (!disk.exists(chunks)) {
      return;
    }
    if (keepsChunks) {
      new StoreFolder(disk, folder).setAside(chunks);
    } else {
      disk.delete(chunks);
    }
  }
}
