package org.inferometer.tsdb.block;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.inferometer.io.BitWriter;
import org.inferometer.io.Disk;
import org.inferometer.io.MappedFile;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.inferometer.tsdb.chunk.Encoding;

/** The mapped files of a block's chunks: see {@link ChunkFormat}. Thread-safe. */
final class ChunkFiles implements AutoCloseable {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Longer chunks are summed up before memory is taken for them. */
  private static final int TRUSTED_BYTES_MAX = 1 << 16;

  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  /** A chunk's length takes no more. */
  private static final int LENGTH_BYTES_MAX = 5;

  private final Path folder;
  private final MappedFile[] files;
  private final MemorySegment[] segments;

  private ChunkFiles(Path folder, List<MappedFile> files) {
    this.folder = folder;
    this.files = files.toArray(MappedFile[]::new);
    segments = files.stream().map(MappedFile::bytes).toArray(MemorySegment[]::new);
  }

  /**
   * Opens the files in a folder, and checks their beginnings.
   *
   * @throws CorruptBlockException if one is missing or isn't one of chunks
   */
  static ChunkFiles open(Disk disk, Path folder) throws CorruptBlockException, IOException {
    List<MappedFile> files = new ArrayList<>();
    boolean isOpen = false;
    try {
      for (String name : disk.list(folder)) {
        if (!NUMBER.matcher(name).matches()) {
          continue; // Not of the block
        }
        Path path = folder.resolve(name);
        String expected = ChunkFormat.fileName(files.size());
        if (!name.equals(expected)) {
          throw new CorruptBlockException(path + ": expected a file named " + expected);
        }
        if (disk.size(path) < ChunkFormat.HEAD_BYTES) {
          throw new CorruptBlockException(
              "%s: expected %d bytes at least, got %d"
                  .formatted(path, ChunkFormat.HEAD_BYTES, disk.size(path)));
        }
        files.add(disk.map(path));
        checkHead(path, files.getLast().bytes());
      }
      isOpen = true;
      return new ChunkFiles(folder, files);
    } finally {
      if (!isOpen) {
        files.forEach(MappedFile::close);
      }
    }
  }

  private static void checkHead(Path path, MemorySegment file) throws CorruptBlockException {
    int magic = file.get(INT, 0);
    int version = file.get(ValueLayout.JAVA_BYTE, Integer.BYTES);
    if (magic != ChunkFormat.MAGIC || version != ChunkFormat.VERSION) {
      throw new CorruptBlockException(
          "%s: expected 0x%08x and version %d at offset 0, got 0x%08x and version %d"
              .formatted(path, ChunkFormat.MAGIC, ChunkFormat.VERSION, magic, version));
    }
  }

  int count() {
    return files.length;
  }

  long sizeBytes() {
    long total = 0;
    for (MemorySegment segment : segments) {
      total += segment.byteSize();
    }
    return total;
  }

  /** File and offset of a reference. */
  String place(long reference) {
    return "%s at offset %d"
        .formatted(
            folder.resolve(ChunkFormat.fileName(ChunkFormat.file(reference))),
            ChunkFormat.offset(reference));
  }

  /**
   * The chunk at a reference.
   *
   * @param minMs the time of its first sample, and {@code maxMs} of the last
   * @throws CorruptChunkException if there is none; names file and offset
   */
  Chunk load(long reference, long minMs, long maxMs) {
    try {
      return read(reference, minMs, maxMs);
    } catch (IndexOutOfBoundsException
        | IllegalArgumentException
        | CorruptChunkException
        | InternalError e) {
      throw new CorruptChunkException(
          "%s: expected a chunk: %s".formatted(place(reference), e.getMessage()), e);
    }
  }

  private Chunk read(long reference, long minMs, long maxMs) {
    int number = ChunkFormat.file(reference);
    long offset = ChunkFormat.offset(reference);
    if (number < 0 || number >= segments.length || offset < ChunkFormat.HEAD_BYTES) {
      throw new IllegalArgumentException(
          "expected one of %d files and an offset of %d at least"
              .formatted(segments.length, ChunkFormat.HEAD_BYTES));
    }
    MemorySegment file = segments[number];
    int digits = digits(file, offset);
    long length = length(file, offset, digits);
    long position = offset + digits;
    long left = file.byteSize() - position - 1 - ChunkFormat.SUM_BYTES;
    if (length > left) {
      throw new IllegalArgumentException(
          "expected at most %d bytes, got a length of %d".formatted(left, length));
    }
    return read(file, position, length, minMs, maxMs);
  }

  /** How many bytes a length takes. */
  private static int digits(MemorySegment file, long offset) {
    for (int i = 0; i < LENGTH_BYTES_MAX; i++) {
      if (file.get(ValueLayout.JAVA_BYTE, offset + i) >= 0) {
        return i + 1;
      }
    }
    throw new IllegalArgumentException(
        "expected a length of %d bytes at most".formatted(LENGTH_BYTES_MAX));
  }

  private static long length(MemorySegment file, long offset, int digits) {
    long length = 0;
    for (int i = 0; i < digits; i++) {
      length |= (long) (file.get(ValueLayout.JAVA_BYTE, offset + i) & 0x7f) << (7 * i);
    }
    return length;
  }

  /**
   * @param position of the encoding
   */
  private static Chunk read(
      MemorySegment file, long position, long length, long minMs, long maxMs) {
    long end = position + 1 + length;
    int written = file.get(INT, end);
    if (length > TRUSTED_BYTES_MAX) {
      MappedInput all = new MappedInput(file, position, end);
      all.skip(length + 1);
      check(all.sum(), written);
    }
    byte encoding = file.get(ValueLayout.JAVA_BYTE, position);
    int count = (int) Math.min(length, Integer.MAX_VALUE - BitWriter.PADDING);
    byte[] padded = new byte[count + BitWriter.PADDING];
    MemorySegment.copy(file, ValueLayout.JAVA_BYTE, position + 1, padded, 0, count);
    CRC32C crc = new CRC32C();
    crc.update(encoding);
    crc.update(padded, 0, count);
    check((int) crc.getValue(), written);
    return Chunk.of(Encoding.ofNumber(encoding), padded, count, minMs, maxMs);
  }

  private static void check(int actual, int written) {
    if (actual != written) {
      throw new IllegalArgumentException(
          "expected the CRC32C 0x%08x, got 0x%08x".formatted(written, actual));
    }
  }

  @Override
  public void close() {
    for (MappedFile file : files) {
      file.close();
    }
  }
}
