package org.inferometer.tsdb.wal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.inferometer.io.Disk;
import org.inferometer.io.MappedFile;
import org.inferometer.io.Snappy;
import org.inferometer.io.SnappyException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of one segment page by page, up to the size that it had when it was opened.
 * Bytes may be anything; see {@link Fragments} for how they should be. Not thread-safe.
 */
final class SegmentReader implements AutoCloseable {
  /** No record is longer; Prometheus's are far from it. */
  static final int RECORD_BYTES_MAX = 256 * 1024 * 1024;

  private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

  /** A write that was lost in a power cut leaves whole sectors of zeros. */
  private static final int SECTOR_BYTES = 512;

  /** Where the end of a segment may be an unfinished write. */
  private final boolean isLast;

  /** As much is mapped at a time: a whole segment would count as memory of the process. */
  private static final long WINDOW_BYTES = 128L * WalOptions.PAGE_BYTES;

  private final Disk disk;
  private final Path path;
  private final long size;

  /** The part of the file that is mapped. */
  private @Nullable MappedFile window;

  private long windowEnd;
  private final CRC32C crc = new CRC32C();

  private final byte[] page = new byte[WalOptions.PAGE_BYTES];
  private final MemorySegment pageSegment = MemorySegment.ofArray(page);
  private long pageStart;
  private int pageLength;
  private int position;

  /** Fragments of a record that has several. */
  private byte[] joined = new byte[WalOptions.PAGE_BYTES];

  private int joinedSize;
  private byte[] uncompressed = new byte[WalOptions.PAGE_BYTES];
  private long recordOffset;

  private byte[] bytes = page;
  private int from;
  private int end;

  /**
   * @param isLast whether it may end within a record because nothing was written since
   */
  SegmentReader(Disk disk, Path path, long size, boolean isLast) {
    this.disk = disk;
    this.path = path;
    this.size = size;
    this.isLast = isLast;
  }

  /** Where the record begins that was read, or couldn't be. */
  long recordOffset() {
    return recordOffset;
  }

  /** How far it was read. */
  long offset() {
    return pageStart + position;
  }

  /** The array that has the record. */
  byte[] bytes() {
    return bytes;
  }

  int from() {
    return from;
  }

  int end() {
    return end;
  }

  /**
   * Goes to the next record.
   *
   * @return false if there is none
   * @throws CorruptRecordException if what comes next isn't a whole record
   */
  boolean next() throws IOException {
    joinedSize = 0;
    if (!skipPadding()) {
      return false;
    }
    recordOffset = offset();
    int flags = fragment(true);
    int kind = flags & Fragments.KIND_MASK;
    if (kind == Fragments.FIRST) {
      join(flags);
    }
    uncompress(flags);
    return true;
  }

  /** Goes to the next fragment; false if the segment ends before there is one. */
  private boolean skipPadding() throws IOException {
    while (true) {
      if (position == pageLength) {
        if (!nextPage()) {
          return false;
        }
      } else if (page[position] == 0 || WalOptions.PAGE_BYTES - position < Fragments.HEADER_BYTES) {
        padding();
      } else {
        return true;
      }
    }
  }

  private boolean nextPage() throws IOException {
    long start = pageStart + pageLength;
    if (start >= size) {
      return false;
    }
    int length = (int) Math.min(WalOptions.PAGE_BYTES, size - start);
    copy(windowAt(start), start % WINDOW_BYTES, length);
    pageStart = start;
    pageLength = length;
    position = 0;
    return true;
  }

  private MappedFile windowAt(long start) throws IOException {
    MappedFile mapped = window;
    if (mapped == null || start >= windowEnd) {
      close();
      long windowStart = start - start % WINDOW_BYTES;
      windowEnd = windowStart + WINDOW_BYTES;
      mapped = disk.map(path, windowStart, Math.min(WINDOW_BYTES, size - windowStart));
      window = mapped;
    }
    return mapped;
  }

  /** A mapped file that gets shorter, or can't be read, is told by an error of the machine. */
  private void copy(MappedFile mapped, long start, int length) throws IOException {
    try {
      MemorySegment.copy(mapped.bytes(), start, pageSegment, 0, length);
    } catch (InternalError e) {
      throw new IOException(path + ": can't be read at offset " + (pageStart + pageLength), e);
    }
  }

  private void padding() throws CorruptRecordException {
    for (int i = position; i < pageLength; i++) {
      if (page[i] != 0) {
        recordOffset = offset();
        throw new CorruptRecordException(
            "expected zeros up to the end of the page, got %d at offset %d"
                .formatted(page[i] & 0xff, pageStart + i));
      }
    }
    if (pageLength < WalOptions.PAGE_BYTES && isLast) {
      // Padding fills a page. A power cut may leave a file longer than what was written to it.
      recordOffset = offset();
      throw new CorruptRecordException("expected a record, got zeros up to the end", true);
    }
    position = pageLength;
  }

  /** Reads a fragment, to {@code from <= index < end} of the page. Returns its kind and flags. */
  private int fragment(boolean isFirst) throws IOException {
    long offset = offset();
    if (pageLength - position < Fragments.HEADER_BYTES) {
      throw unfinished("7 bytes of a header at offset %d", offset, pageLength - position);
    }
    int flags = page[position];
    int length = (page[position + 1] & 0xff) << 8 | (page[position + 2] & 0xff);
    int room = WalOptions.PAGE_BYTES - position - Fragments.HEADER_BYTES;
    long fragmentEnd = offset + Fragments.HEADER_BYTES + Math.min(room, length);
    checkKind(flags, isFirst, fragmentEnd);
    if (length > room) {
      throw damaged(
          "a fragment of at most %d bytes at offset %d, got %d".formatted(room, offset, length),
          fragmentEnd);
    }
    if (fragmentEnd > size) {
      throw unfinished(
          length + " bytes of a fragment at offset %d",
          offset,
          size - offset - Fragments.HEADER_BYTES);
    }
    from = position + Fragments.HEADER_BYTES;
    end = from + length;
    checkSum(length, offset, fragmentEnd);
    position = end;
    return flags;
  }

  private void checkKind(int flags, boolean isFirst, long fragmentEnd) throws IOException {
    int kind = flags & Fragments.KIND_MASK;
    boolean isExpected =
        isFirst
            ? kind == Fragments.WHOLE || kind == Fragments.FIRST
            : kind == Fragments.MIDDLE || kind == Fragments.LAST;
    if (!isExpected) {
      throw damaged(
          "%s of a record at offset %d, got kind %d"
              .formatted(isFirst ? "the start" : "more", offset(), kind),
          fragmentEnd);
    }
    if ((flags & ~(Fragments.KIND_MASK | Fragments.SNAPPY | Fragments.ZSTD)) != 0) {
      throw damaged(
          "flags that are known at offset %d, got 0x%02x".formatted(offset(), flags & 0xff),
          fragmentEnd);
    }
  }

  private void checkSum(int length, long offset, long fragmentEnd) throws IOException {
    int told = 0;
    for (int i = 3; i < Fragments.HEADER_BYTES; i++) {
      told = told << 8 | (page[position + i] & 0xff);
    }
    int found = Fragments.checksum(crc, page, from, length);
    if (told != found) {
      throw damaged(
          "checksum %08x of %d bytes at offset %d, got %08x".formatted(told, length, offset, found),
          fragmentEnd);
    }
  }

  /** Puts a record together from its first fragment, which was read, and the others. */
  private void join(int firstFlags) throws IOException {
    keepFragment();
    int flags;
    do {
      nextInRecord();
      flags = fragment(false);
      if (((flags ^ firstFlags) & ~Fragments.KIND_MASK) != 0) {
        throw damaged("the same flags in all fragments of a record", offset());
      }
      keepFragment();
    } while ((flags & Fragments.KIND_MASK) != Fragments.LAST);
    bytes = joined;
    from = 0;
    end = joinedSize;
  }

  private void nextInRecord() throws IOException {
    if (WalOptions.PAGE_BYTES - position < Fragments.HEADER_BYTES) {
      padding();
    }
    if (position == pageLength && !nextPage()) {
      throw unfinished("more of a record at offset %d", size, 0);
    }
  }

  private void keepFragment() throws CorruptRecordException {
    int length = end - from;
    int needed = joinedSize + length;
    if (needed > RECORD_BYTES_MAX) {
      throw new CorruptRecordException(
          "expected a record of at most " + RECORD_BYTES_MAX + " bytes, got more");
    }
    if (needed > joined.length) {
      joined = Arrays.copyOf(joined, 2 * needed);
    }
    System.arraycopy(page, from, joined, joinedSize, length);
    joinedSize = needed;
  }

  private void uncompress(int flags) throws CorruptRecordException {
    if ((flags & Fragments.KIND_MASK) == Fragments.WHOLE) {
      bytes = page;
    }
    if ((flags & Fragments.ZSTD) != 0) {
      throw CorruptRecordException.notUnderstood(
          "written with zstd compression, which isn't supported; Prometheus writes snappy with"
              + " --storage.tsdb.wal-compression-type=snappy",
          (flags & Fragments.SNAPPY) == 0 && isZstdFrame());
    }
    if ((flags & Fragments.SNAPPY) != 0) {
      try {
        int length = Snappy.uncompressedLength(bytes, from, end);
        if (length > RECORD_BYTES_MAX) {
          throw new CorruptRecordException(
              "expected a record of at most %d bytes, got %d".formatted(RECORD_BYTES_MAX, length));
        }
        if (length > uncompressed.length) {
          uncompressed = new byte[Math.max(length, 2 * uncompressed.length)];
        }
        Snappy.decompress(bytes, from, end, uncompressed);
        bytes = uncompressed;
        from = 0;
        end = length;
      } catch (SnappyException e) {
        throw new CorruptRecordException("not a snappy block: " + e.getMessage(), e);
      }
    }
  }

  /** A flag may be a bit that was flipped; that the data begins so as well is no accident. */
  private boolean isZstdFrame() {
    return end - from >= ZSTD_MAGIC.length
        && Arrays.equals(bytes, from, from + ZSTD_MAGIC.length, ZSTD_MAGIC, 0, ZSTD_MAGIC.length);
  }

  private CorruptRecordException unfinished(String what, long offset, long found) {
    return new CorruptRecordException(
        "expected %s, got %d before the file ends".formatted(what.formatted(offset), found),
        isLast);
  }

  /**
   * @param fragmentEnd where the damage ends, if nothing but zeros comes after
   */
  private CorruptRecordException damaged(String what, long fragmentEnd) throws IOException {
    return new CorruptRecordException("expected " + what, isLast && isZeros(fragmentEnd));
  }

  /** Whether a sector before the end of a fragment and all that comes after it are zeros. */
  private boolean isZeros(long fragmentEnd) throws IOException {
    try (MappedFile rest = disk.map(path, recordOffset, size - recordOffset)) {
      long zeros = size;
      while (zeros > recordOffset
          && rest.bytes().get(ValueLayout.JAVA_BYTE, zeros - 1 - recordOffset) == 0) {
        zeros--;
      }
      long sector = (zeros + SECTOR_BYTES - 1) / SECTOR_BYTES * SECTOR_BYTES;
      return sector < size && sector <= fragmentEnd;
    } catch (InternalError e) {
      throw new IOException(path + ": can't be read behind offset " + recordOffset, e);
    }
  }

  @Override
  public void close() {
    if (window != null) {
      window.close();
      window = null;
    }
  }
}
