package org.inferometer.tsdb.block;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.inferometer.io.BitWriter;
import org.inferometer.io.Disk;
import org.inferometer.store.SampleColumns;
import org.inferometer.tsdb.chunk.SampleMerge;

/**
 * Which samples of which series of a block are deleted. Immutable.
 *
 * <pre>
 * tombstones  magic 0x0130ba30 (4 bytes)  version 1 (1 byte)  mark*  CRC32C of the marks (4 bytes)
 * mark        series (uvarint)  first, last time in milliseconds (varint each)
 * </pre>
 *
 * The format is described in prometheus/prometheus {@code tsdb/docs/format/tombstones.md}.
 */
public final class Tombstones {
  /** The name of the file in a block's folder. */
  public static final String FILE = "tombstones";

  public static final Tombstones NONE = new Tombstones(Map.of());

  private static final int MAGIC = 0x0130ba30;
  private static final int VERSION = 1;
  private static final int HEAD_BYTES = 5;
  private static final int SUM_BYTES = 4;

  /** Enough for a mark on each of ten million series. */
  private static final int BYTES_MAX = 256 << 20;

  private static final long[] NOTHING = {};

  /** First and last time of each stretch, ascending; no two touch. */
  private final SortedMap<Long, long[]> stretches;

  private Tombstones(Map<Long, long[]> stretches) {
    this.stretches = Collections.unmodifiableSortedMap(new TreeMap<>(stretches));
  }

  /** How many series have any. */
  public int seriesCount() {
    return stretches.size();
  }

  /** How many stretches of time are deleted, over all series. */
  public long count() {
    return stretches.values().stream().mapToLong(s -> s.length / 2).sum();
  }

  public boolean isEmpty() {
    return stretches.isEmpty();
  }

  /** The series that have any. */
  public SortedMap<Long, long[]> bySeries() {
    return stretches;
  }

  /**
   * The stretches of a series that are deleted: first and last time in milliseconds of each,
   * ascending; not to be changed.
   */
  public long[] of(long seriesId) {
    return stretches.isEmpty() ? NOTHING : stretches.getOrDefault(seriesId, NOTHING);
  }

  /** These and a stretch of a series, ends included. */
  public Tombstones with(long seriesId, long minMs, long maxMs) {
    Builder more = new Builder(this);
    more.add(seriesId, minMs, maxMs);
    return more.build();
  }

  /** Adds stretches of many series. Not thread-safe. */
  static final class Builder {
    private final Map<Long, Stretches> bySeries = new HashMap<>();

    Builder(Tombstones tombstones) {
      tombstones.stretches.forEach((id, times) -> bySeries.put(id, new Stretches(times)));
    }

    /**
     * Adds a stretch, ends included.
     *
     * @throws IllegalArgumentException if it ends before it begins
     */
    void add(long seriesId, long minMs, long maxMs) {
      if (minMs > maxMs) {
        throw new IllegalArgumentException(
            "expected a stretch of time, got %d to %d".formatted(minMs, maxMs));
      }
      bySeries.computeIfAbsent(seriesId, id -> new Stretches(NOTHING)).add(minMs, maxMs);
    }

    Tombstones build() {
      Map<Long, long[]> merged = new HashMap<>();
      bySeries.forEach((id, stretches) -> merged.put(id, stretches.merged()));
      return new Tombstones(merged);
    }
  }

  /** Whether all of a stretch of time is deleted. */
  static boolean covers(long[] stretches, long minMs, long maxMs) {
    for (int i = 0; i < stretches.length; i += 2) {
      if (stretches[i] <= minMs && maxMs <= stretches[i + 1]) {
        return true;
      }
    }
    return false;
  }

  /** Whether any of a stretch of time is deleted. */
  static boolean touches(long[] stretches, long minMs, long maxMs) {
    for (int i = 0; i < stretches.length; i += 2) {
      if (stretches[i] <= maxMs && minMs <= stretches[i + 1]) {
        return true;
      }
    }
    return false;
  }

  /** Takes the deleted ones out of columns, from an index on; those from there on are ascending. */
  static void removeFrom(SampleColumns columns, int start, long[] stretches) {
    for (int i = 0; i < stretches.length; i += 2) {
      int from = columns.firstAtOrAfter(stretches[i], start);
      long lastMs = stretches[i + 1];
      int to = lastMs == Long.MAX_VALUE ? columns.size() : columns.firstAtOrAfter(lastMs + 1, from);
      if (from < to) {
        columns.remove(from, to);
        SampleMerge.forgetPast(columns, from);
      }
    }
  }

  /**
   * Reads the file in a block's folder; none if it isn't there.
   *
   * @throws CorruptBlockException if it isn't one of tombstones
   */
  public static Tombstones read(Disk disk, Path folder) throws CorruptBlockException, IOException {
    Path file = folder.resolve(FILE);
    return disk.exists(file) ? parse(disk.read(file, BYTES_MAX), file.toString()) : NONE;
  }

  /**
   * @param name of the file, for messages
   */
  static Tombstones parse(byte[] bytes, String name) throws CorruptBlockException {
    if (bytes.length < HEAD_BYTES + SUM_BYTES) {
      throw new CorruptBlockException(
          "%s: expected %d bytes at least, got %d"
              .formatted(name, HEAD_BYTES + SUM_BYTES, bytes.length));
    }
    checkHead(bytes, name);
    checkSum(bytes, name);
    Bytes in = new Bytes(bytes, HEAD_BYTES, bytes.length - SUM_BYTES);
    Builder read = new Builder(NONE);
    while (in.hasMore()) {
      int offset = in.position();
      try {
        read.add(in.uvarint(), in.varint(), in.varint());
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new CorruptBlockException(
            "%s: expected a tombstone at offset %d: %s".formatted(name, offset, e.getMessage()), e);
      }
    }
    return read.build();
  }

  private static void checkHead(byte[] bytes, String name) throws CorruptBlockException {
    int magic = ByteBuffer.wrap(bytes).getInt();
    if (magic != MAGIC || bytes[4] != VERSION) {
      throw new CorruptBlockException(
          "%s: expected 0x%08x and version %d at offset 0, got 0x%08x and version %d"
              .formatted(name, MAGIC, VERSION, magic, bytes[4]));
    }
  }

  private static void checkSum(byte[] bytes, String name) throws CorruptBlockException {
    int end = bytes.length - SUM_BYTES;
    int written = ByteBuffer.wrap(bytes).getInt(end);
    int actual = sum(bytes, end);
    if (written != actual) {
      throw new CorruptBlockException(
          "%s: expected the CRC32C 0x%08x of bytes %d to %d, got 0x%08x"
              .formatted(name, written, HEAD_BYTES, end, actual));
    }
  }

  private static int sum(byte[] bytes, int end) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, HEAD_BYTES, end - HEAD_BYTES);
    return (int) crc.getValue();
  }

  /** Writes the file to a block's folder so that at each moment the old or the new one is whole. */
  public void write(Disk disk, Path folder) throws IOException {
    WholeFile.write(disk, folder, FILE, toBytes());
  }

  byte[] toBytes() {
    BitWriter out = new BitWriter(64);
    out.writeBits(MAGIC, 32);
    out.writeBits(VERSION, 8);
    for (Map.Entry<Long, long[]> series : stretches.entrySet()) {
      long[] times = series.getValue();
      for (int i = 0; i < times.length; i += 2) {
        out.writeUnsignedVarint(series.getKey());
        out.writeVarint(times[i]);
        out.writeVarint(times[i + 1]);
      }
    }
    out.writeBits(sum(out.bytes(), out.byteCount()), 32);
    return Arrays.copyOf(out.bytes(), out.byteCount());
  }
}
