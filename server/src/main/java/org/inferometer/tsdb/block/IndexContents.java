package org.inferometer.tsdb.block;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.stream.LongStream;

/**
 * Where the parts of an index file are.
 *
 * @param path of the file, for messages
 * @param end where the contents begin, which are the last part
 */
record IndexContents(
    Path path,
    MemorySegment file,
    long symbols,
    long series,
    long labelIndexes,
    long labelTable,
    long postings,
    long postingsTable,
    long end) {
  private static final int OFFSETS = 6;

  /**
   * @throws DamageException if the contents can't be right
   */
  static IndexContents read(Path path, MemorySegment file) {
    MappedInput head = new MappedInput(file, 0, IndexFormat.HEAD_BYTES);
    int magic = (int) head.u32();
    int version = head.u8();
    if (magic != IndexFormat.MAGIC || version != IndexFormat.VERSION) {
      throw new DamageException(
          "%s: expected 0x%08x and version %d at offset 0, got 0x%08x and version %d"
              .formatted(path, IndexFormat.MAGIC, IndexFormat.VERSION, magic, version));
    }
    long end = file.byteSize() - IndexFormat.CONTENTS_BYTES;
    MappedInput in = new MappedInput(file, end, file.byteSize());
    long[] offsets = new long[OFFSETS];
    for (int i = 0; i < OFFSETS; i++) {
      offsets[i] = (in.u32() << 32) | in.u32();
    }
    int sum = in.sum();
    check(path, end, end + 8L * OFFSETS, sum, (int) in.u32());
    checkOffsets(path, end, offsets);
    return new IndexContents(
        path, file, offsets[0], offsets[1], offsets[2], offsets[3], offsets[4], offsets[5], end);
  }

  private static void checkOffsets(Path path, long end, long[] offsets) {
    for (int i = 0; i < OFFSETS; i++) {
      if (offsets[i] < 0 || offsets[i] > end) {
        throw new DamageException(
            "%s: expected an offset up to %d at offset %d, got %s"
                .formatted(path, end, end + 8L * i, Long.toUnsignedString(offsets[i])));
      }
    }
  }

  private static void check(Path path, long from, long to, int actual, int written) {
    if (written != actual) {
      throw new DamageException(
          "%s: expected the CRC32C 0x%08x of bytes %d to %d, got 0x%08x"
              .formatted(path, written, from, to, actual));
    }
  }

  /** Where the series end: at the next part, whichever is there. */
  long seriesEnd() {
    return LongStream.of(labelIndexes, labelTable, postings, postingsTable, end)
        .filter(offset -> offset > series)
        .min()
        .orElse(end);
  }

  /**
   * The inside of a section whose length comes first and whose sum comes last.
   *
   * @throws DamageException if there is no room for it
   */
  MappedInput section(long offset) {
    if (offset < IndexFormat.HEAD_BYTES || offset > end - 2L * Integer.BYTES) {
      throw new DamageException(
          "%s: expected a section from offset %d to %d, got offset %s"
              .formatted(path, IndexFormat.HEAD_BYTES, end - 8, Long.toUnsignedString(offset)));
    }
    long start = offset + Integer.BYTES;
    long length = new MappedInput(file, offset, start).u32();
    if (length > end - start - IndexFormat.SUM_BYTES) {
      throw new DamageException(
          "%s: expected at most %d bytes at offset %d, got a length of %d"
              .formatted(path, end - start - IndexFormat.SUM_BYTES, offset, length));
    }
    return new MappedInput(file, start, start + length);
  }

  /** Reads the rest of a section and checks its sum. */
  void checkSum(long offset, MappedInput section) {
    section.skip(section.left());
    long to = section.position();
    int written = (int) new MappedInput(file, to, to + IndexFormat.SUM_BYTES).u32();
    check(path, offset + Integer.BYTES, to, section.sum(), written);
  }
}
