package org.inferometer.tsdb.wal;

import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.inferometer.io.Snappy;

/**
 * The records of one call, encoded and compressed one after the other, to be cut into fragments
 * once it is known where they go. Made to be used again and again; not thread-safe.
 */
public final class EncodedRecords {
  /** Memory that is kept for the next call. */
  private static final int KEPT_BYTES_MAX = 1024 * 1024;

  private static final int SMALLEST_COMPRESSED = 16;

  private final boolean compress;
  private final RecordBytes record = new RecordBytes();
  private final RecordEncoder encoder = new RecordEncoder(record, this::add);
  private final Snappy.Compressor snappy = new Snappy.Compressor();
  private final CRC32C crc = new CRC32C();

  private final WalSamples floats = new WalSamples();

  private byte[] compressed = new byte[16 * 1024];

  /** All records; each ends where {@link #ends} says. */
  private byte[] data = new byte[16 * 1024];

  private int size;
  private int[] ends = new int[8];
  private int[] flags = new int[8];
  private int count;

  /** What is written: fragments and padding. */
  private byte[] framed = new byte[16 * 1024];

  private int framedSize;

  EncodedRecords(boolean compress) {
    this.compress = compress;
  }

  void clear() {
    record.clear();
    floats.clear();
    size = 0;
    count = 0;
    framedSize = 0;
  }

  /** Whether it is small enough to be kept for later. */
  boolean isSmall() {
    long floatBytes = (long) floats.size() * WalSamples.BYTES;
    long bytes = (long) data.length + framed.length + compressed.length + record.array().length;
    return bytes + floatBytes <= KEPT_BYTES_MAX;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Bytes of all records, without what cutting adds. */
  int size() {
    return size;
  }

  /** Columns to fill, which {@link Wal#encode} takes. */
  public WalSamples floats() {
    return floats;
  }

  void encode(List<? extends WalRecord> records) {
    for (WalRecord next : records) {
      encoder.encode(next);
    }
  }

  void encode(WalRecord next) {
    encoder.encode(next);
  }

  /** Takes the record that was encoded; compressed only if that makes it smaller. */
  private void add() {
    int plain = record.size();
    if (compress && plain >= SMALLEST_COMPRESSED) {
      int length = snappy.compress(record.array(), plain, compressed);
      compressed = snappy.out();
      if (length < plain) {
        add(compressed, length, Fragments.SNAPPY);
        return;
      }
    }
    add(record.array(), plain, 0);
  }

  private void add(byte[] bytes, int length, int flag) {
    data = withRoom(data, size, length);
    System.arraycopy(bytes, 0, data, size, length);
    size += length;
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      flags = Arrays.copyOf(flags, 2 * count);
    }
    ends[count] = size;
    flags[count++] = flag;
    record.clear();
  }

  private static byte[] withRoom(byte[] bytes, int used, int more) {
    int needed = Math.addExact(used, more);
    return needed <= bytes.length
        ? bytes
        : Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, needed * 3L / 2));
  }

  /** Cuts all records into fragments, for a place in a segment. Returns how many bytes that is. */
  int frame(long offset) {
    framedSize = 0;
    int from = 0;
    for (int i = 0; i < count; i++) {
      frame(offset, from, ends[i], flags[i]);
      from = ends[i];
    }
    return framedSize;
  }

  /** What {@link #frame} made, in the first bytes. */
  byte[] framed() {
    return framed;
  }

  private void frame(long offset, int begin, int end, int flag) {
    int from = begin;
    boolean isFirst = true; // the first fragment may be empty, at the end of a page
    do {
      int room = roomInPage(offset + framedSize);
      if (room < Fragments.HEADER_BYTES) {
        pad(room);
        room = WalOptions.PAGE_BYTES;
      }
      int length = Math.min(end - from, room - Fragments.HEADER_BYTES);
      fragment(kind(isFirst, from + length == end) | flag, from, length);
      from += length;
      isFirst = false;
    } while (from < end);
  }

  static int roomInPage(long offset) {
    return WalOptions.PAGE_BYTES - (int) (offset % WalOptions.PAGE_BYTES);
  }

  private static int kind(boolean isFirst, boolean isLast) {
    if (isFirst) {
      return isLast ? Fragments.WHOLE : Fragments.FIRST;
    }
    return isLast ? Fragments.LAST : Fragments.MIDDLE;
  }

  private void pad(int bytes) {
    framed = withRoom(framed, framedSize, bytes);
    Arrays.fill(framed, framedSize, framedSize + bytes, (byte) 0);
    framedSize += bytes;
  }

  private void fragment(int kindAndFlag, int from, int length) {
    framed = withRoom(framed, framedSize, Fragments.HEADER_BYTES + length);
    int checksum = Fragments.checksum(crc, data, from, length);
    framed[framedSize++] = (byte) kindAndFlag;
    framed[framedSize++] = (byte) (length >>> 8);
    framed[framedSize++] = (byte) length;
    for (int shift = 24; shift >= 0; shift -= 8) {
      framed[framedSize++] = (byte) (checksum >>> shift);
    }
    System.arraycopy(data, from, framed, framedSize, length);
    framedSize += length;
  }
}
