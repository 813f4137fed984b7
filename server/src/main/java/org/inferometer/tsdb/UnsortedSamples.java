package org.inferometer.tsdb;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskFile;
import org.inferometer.io.MappedFile;

/**
 * The samples of one stretch of time in the order they came: in memory, those before in a file once
 * they were put there. Not thread-safe.
 *
 * <pre>
 * +----------------+----------------------+-----------------+
 * | series, int LE | ms from start, int LE | value, double LE |   again and again
 * +----------------+----------------------+-----------------+
 * </pre>
 */
final class UnsortedSamples {
  private static final int RECORD_BYTES = 16;
  private static final int RECORDS_LEAST = 16;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Disk disk;
  private final Path file;
  private final long startMs;
  private byte[] buffer = {};
  private MemorySegment records = MemorySegment.ofArray(buffer);
  private int used;
  private long spilled;
  private long minMs = Long.MAX_VALUE;
  private long maxMs = Long.MIN_VALUE;

  /**
   * @param file where samples go that don't stay in memory; not there yet
   * @param startMs no sample is earlier, and none 2^31 ms later or more
   */
  UnsortedSamples(Disk disk, Path file, long startMs) {
    this.disk = disk;
    this.file = file;
    this.startMs = startMs;
  }

  /** Takes one of each that there are. */
  interface Visitor {
    void visit(int series, long timestampMs, double value);
  }

  long minMs() {
    return minMs;
  }

  long maxMs() {
    return maxMs;
  }

  /** How many there are. */
  long size() {
    return (spilled + used) / RECORD_BYTES;
  }

  /** What is taken in memory. */
  int bufferBytes() {
    return buffer.length;
  }

  void add(int series, long timestampMs, double value) {
    if (used == buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(RECORDS_LEAST * RECORD_BYTES, 2 * used));
      records = MemorySegment.ofArray(buffer);
    }
    records.set(INT, used, series);
    records.set(INT, used + 4L, Math.toIntExact(timestampMs - startMs));
    records.set(DOUBLE, used + 8L, value);
    used += RECORD_BYTES;
    minMs = Math.min(minMs, timestampMs);
    maxMs = Math.max(maxMs, timestampMs);
  }

  /** Moves what is in memory to the file. */
  void spill() throws IOException {
    if (used == 0) {
      return;
    }
    try (DiskFile out = spilled == 0 ? disk.create(file) : disk.append(file)) {
      out.write(buffer, 0, used);
    }
    spilled += used;
    used = 0;
    buffer = new byte[0];
    records = MemorySegment.ofArray(buffer);
  }

  /** Visits all, in the order they came. */
  void forEach(Visitor visitor) throws IOException {
    if (spilled > 0) {
      try (MappedFile mapped = disk.map(file, 0, spilled)) {
        visit(mapped.bytes(), spilled, visitor);
      }
    }
    visit(records, used, visitor);
  }

  private void visit(MemorySegment from, long bytes, Visitor visitor) {
    for (long at = 0; at < bytes; at += RECORD_BYTES) {
      visitor.visit(from.get(INT, at), startMs + from.get(INT, at + 4), from.get(DOUBLE, at + 8));
    }
  }

  /** Forgets all. */
  void clear() throws IOException {
    used = 0;
    buffer = new byte[0];
    records = MemorySegment.ofArray(buffer);
    if (spilled > 0) {
      disk.delete(file);
      spilled = 0;
    }
  }
}
