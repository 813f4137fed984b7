package org.inferometer.tsdb.block;

import java.util.zip.CRC32C;

/** The series of an index file. Thread-safe. */
final class SeriesSection {
  /** Longer ones are summed up before memory is taken for them. */
  private static final int TRUSTED_BYTES_MAX = 1 << 16;

  private static final int VARINT_BYTES_MAX = 10;

  private final IndexContents contents;
  private final SymbolTable symbols;
  private final long end;

  SeriesSection(IndexContents contents, SymbolTable symbols) {
    this.contents = contents;
    this.symbols = symbols;
    end = contents.seriesEnd();
  }

  /**
   * @throws DamageException if it can't be read
   */
  SeriesEntry read(int id) {
    long offset = (long) id * IndexFormat.SERIES_ALIGNMENT;
    try {
      if (offset < contents.series() || offset >= end) {
        throw new IllegalArgumentException(
            "expected a series from offset %d to %d".formatted(contents.series(), end));
      }
      byte[] entry = entry(offset);
      return new SeriesEntry(symbols, new Bytes(entry, 0, entry.length - IndexFormat.SUM_BYTES));
    } catch (IndexOutOfBoundsException | IllegalArgumentException | InternalError e) {
      throw new DamageException(
          "%s: expected a series at offset %d: %s"
              .formatted(contents.path(), offset, e.getMessage()),
          e);
    }
  }

  /** The entry with its sum. */
  private byte[] entry(long offset) {
    MappedInput head =
        new MappedInput(contents.file(), offset, Math.min(end, offset + VARINT_BYTES_MAX));
    long length = head.uvarint();
    long start = head.position();
    if (length < 0 || length > end - start - IndexFormat.SUM_BYTES) {
      throw new IllegalArgumentException(
          "expected a length of at most %d, got %s"
              .formatted(end - start - IndexFormat.SUM_BYTES, Long.toUnsignedString(length)));
    }
    if (length > TRUSTED_BYTES_MAX) {
      MappedInput all = new MappedInput(contents.file(), start, start + length + 4);
      all.skip(length);
      check(all.sum(), (int) all.u32());
    }
    MappedInput in = new MappedInput(contents.file(), start, start + length + 4);
    byte[] entry = in.bytes(length + IndexFormat.SUM_BYTES);
    CRC32C crc = new CRC32C();
    crc.update(entry, 0, (int) length);
    check((int) crc.getValue(), (int) BigEndian.INT.get(entry, (int) length));
    return entry;
  }

  private static void check(int actual, int written) {
    if (actual != written) {
      throw new IllegalArgumentException(
          "expected the CRC32C 0x%08x, got 0x%08x".formatted(written, actual));
    }
  }
}
