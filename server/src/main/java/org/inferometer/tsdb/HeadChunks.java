package org.inferometer.tsdb;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.zip.CRC32C;
import org.inferometer.io.BitWriter;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskFile;
import org.inferometer.io.MappedFile;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.inferometer.tsdb.chunk.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * Full chunks of a head in files that are mapped, so that they needn't be on the heap. A cache: all
 * of it is in the log as well, and the folder is emptied at start and end.
 *
 * <pre>
 * file      85 bd 40 dd   version 1 (1 byte)   0 0 0   chunk*
 * chunk     length of the data (uvarint)   encoding (1 byte)   data   CRC-32C of encoding and data
 * </pre>
 *
 * That is the layout of a block's chunk files. A file holds chunks of one stretch of time only, as
 * long as chunks are cut at, so that it can go as a whole when the head is cut. What is written at
 * once is mapped as one region. Not thread-safe, but chunks are read by any thread.
 */
final class HeadChunks implements AutoCloseable {
  static final String FOLDER = "head_chunks";

  private static final byte[] HEADER = {(byte) 0x85, (byte) 0xbd, 0x40, (byte) 0xdd, 1, 0, 0, 0};
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int CRC_BYTES = 4;

  /** As much is gathered before it is written and mapped. */
  private static final int REGION_BYTES = 4 << 20;

  private final Disk disk;
  private final Path folder;
  private final long rangeMs;
  private final Isolation isolation;

  /** Files by the number of their stretch of time. */
  private final TreeMap<Long, ChunkFile> files = new TreeMap<>();

  private final List<Retired> retired = new ArrayList<>();
  private int lastNumber;

  /** A file that no series refers to any more, and the views that may have slices of it. */
  private record Retired(ChunkFile file, List<Isolation.View> views) {}

  /** What was written at once, mapped. */
  record Region(Path file, long start, MappedFile mapped) {
    byte[] read(int offset, Encoding encoding, int byteCount) {
      try {
        MemorySegment bytes = mapped.bytes();
        int length = BitWriter.PADDING + byteCount;
        int data = offset + uvarintBytes(byteCount) + 1;
        byte[] out = new byte[length];
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, data, out, 0, byteCount);
        check(offset, crc(encoding, out, byteCount), bytes.get(INT, (long) data + byteCount));
        return out;
      } catch (IllegalStateException e) {
        throw new CorruptChunkException(file + ": expected it to be mapped still", e);
      } catch (InternalError e) { // the disk has less of it than was written, or can't read it
        throw new CorruptChunkException(
            "%s: offset %d: expected a chunk that can be read: %s"
                .formatted(file, start + offset, e.getMessage()),
            e);
      }
    }

    private void check(int offset, int expected, int found) {
      if (expected != found) {
        throw new CorruptChunkException(
            "%s: offset %d: expected a chunk with checksum %08x, got %08x"
                .formatted(file, start + offset, expected, found));
      }
    }
  }

  /** A file that is written, and its regions. */
  private record ChunkFile(Path path, DiskFile out, List<Region> regions) {
    void unmap() throws IOException {
      out.close();
      regions.forEach(region -> region.mapped().close());
    }
  }

  /** Chunks of one stretch that wait to be written. */
  private static final class Gathered {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
    private final List<Waiting> waiting = new ArrayList<>();
  }

  /** A chunk, the series it is of, and its offset in the region. */
  private record Waiting(HeadSeries series, Chunk chunk, int offset) {}

  /** Empties the folder; it is made when it is needed. */
  HeadChunks(Disk disk, Path folder, long rangeMs, Isolation isolation) throws IOException {
    this.disk = disk;
    this.folder = folder;
    this.rangeMs = rangeMs;
    this.isolation = isolation;
    disk.delete(folder);
  }

  private static int uvarintBytes(int value) {
    return Math.max(1, (38 - Integer.numberOfLeadingZeros(value)) / 7);
  }

  private static int crc(Encoding encoding, byte[] data, int count) {
    CRC32C crc = new CRC32C();
    crc.update(encoding.number());
    crc.update(data, 0, count);
    return (int) crc.getValue();
  }

  /**
   * Moves the full chunks of all series to files.
   *
   * @param write is told what changes on the heap
   * @throws IOException if that isn't possible; what wasn't moved stays on the heap
   */
  void move(SeriesIndex index, HeadWrite write) throws IOException {
    removeRetired();
    Map<Long, Gathered> gathered = new TreeMap<>();
    List<Map.Entry<HeadSeries, Chunk>> sealed = new ArrayList<>();
    for (HeadSeries series : index.all()) {
      series.forEachSealed((owner, chunk) -> sealed.add(Map.entry(owner, chunk)));
      for (Map.Entry<HeadSeries, Chunk> entry : sealed) {
        long stretch = Math.floorDiv(entry.getValue().minMs(), rangeMs);
        Gathered mine = gathered.computeIfAbsent(stretch, key -> new Gathered());
        gather(mine, entry.getKey(), entry.getValue());
        if (mine.bytes.size() >= REGION_BYTES) {
          gathered.remove(stretch);
          write(stretch, mine, write);
        }
      }
      sealed.clear();
    }
    for (Map.Entry<Long, Gathered> entry : gathered.entrySet()) {
      write(entry.getKey(), entry.getValue(), write);
    }
  }

  private static void gather(Gathered into, HeadSeries series, Chunk chunk) {
    byte[] data = chunk.toBytes();
    into.waiting.add(new Waiting(series, chunk, into.bytes.size()));
    int rest = data.length;
    while (rest >= 0x80) {
      into.bytes.write(rest | 0x80);
      rest >>>= 7;
    }
    into.bytes.write(rest);
    into.bytes.write(chunk.encoding().number());
    into.bytes.writeBytes(data);
    int crc = crc(chunk.encoding(), data, data.length);
    into.bytes.writeBytes(ByteBuffer.allocate(CRC_BYTES).putInt(crc).array());
  }

  private void write(long stretch, Gathered gathered, HeadWrite write) throws IOException {
    ChunkFile file = files.get(stretch);
    if (file == null) {
      file = begin();
      files.put(stretch, file);
    }
    Region region = append(file, gathered.bytes.toByteArray());
    for (Waiting waiting : gathered.waiting) {
      MappedChunk mapped = new MappedChunk(waiting.chunk, region, waiting.offset);
      if (waiting.series.replace(waiting.chunk, mapped)) {
        write.changeChunks(0, mapped.memoryBytes() - waiting.chunk.memoryBytes());
      }
    }
  }

  private ChunkFile begin() throws IOException {
    disk.createFolders(folder);
    Path path = folder.resolve("%06d".formatted(++lastNumber));
    DiskFile out = disk.create(path);
    try {
      out.write(HEADER, 0, HEADER.length);
      return new ChunkFile(path, out, new ArrayList<>());
    } catch (IOException | RuntimeException e) {
      out.close();
      throw e;
    }
  }

  private Region append(ChunkFile file, byte[] bytes) throws IOException {
    long start = file.out.size();
    try {
      file.out.write(bytes, 0, bytes.length);
    } catch (IOException e) {
      file.out.truncate(start);
      throw e;
    }
    Region region = new Region(file.path, start, disk.map(file.path, start, bytes.length));
    file.regions.add(region);
    return region;
  }

  /** Lets go of the files of stretches of which no series has chunks any more, by their start. */
  void drop(LongPredicate isDropped) throws IOException {
    List<Isolation.View> views = isolation.openViews();
    Iterator<Map.Entry<Long, ChunkFile>> all = files.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Long, ChunkFile> entry = all.next();
      if (isDropped.test(entry.getKey() * rangeMs)) {
        retired.add(new Retired(entry.getValue(), views));
        all.remove();
      }
    }
    removeRetired();
  }

  private void removeRetired() throws IOException {
    for (Retired one : List.copyOf(retired)) {
      if (!isolation.isAnyOpen(one.views)) {
        retired.remove(one);
        one.file.unmap();
        disk.delete(one.file.path);
      }
    }
  }

  /** What the files take on the disk. */
  long sizeBytes() {
    long total = 0;
    for (ChunkFile file : files.values()) {
      total += file.out.size();
    }
    for (Retired one : retired) {
      total += one.file.out.size();
    }
    return total;
  }

  @Override
  public void close() throws IOException {
    @Nullable IOException failure = null;
    List<ChunkFile> all = new ArrayList<>(files.values());
    retired.forEach(one -> all.add(one.file));
    files.clear();
    retired.clear();
    for (ChunkFile file : all) {
      try {
        file.unmap();
      } catch (IOException e) {
        failure = e;
      }
    }
    disk.delete(folder);
    if (failure != null) {
      throw failure;
    }
  }
}
