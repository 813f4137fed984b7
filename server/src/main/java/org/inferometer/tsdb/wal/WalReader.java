package org.inferometer.tsdb.wal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.io.Disk;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log from its newest checkpoint, if there is one, through all segments. Stops at the first
 * record that isn't whole. Not thread-safe.
 *
 * <pre>{@code
 * try (WalReader in = WalReader.open(disk, folder)) {
 *   for (WalRecord r = in.next(); r != null; r = in.next()) ...
 *   if (in.damage() != null) ...
 * }
 * }</pre>
 *
 * <p>A log that is being written is read up to where it ended when it was opened. An {@link
 * IOException} says that a file can't be read, which is no damage: it may have been removed by
 * whoever writes the log.
 */
public final class WalReader implements AutoCloseable {
  /** A segment, in the order of reading. */
  private record Part(Path file, long size, boolean isThere, boolean isLast) {}

  private final Disk disk;
  private final List<Part> parts;
  private final RecordDecoder decoder = new RecordDecoder();
  private int nextPart;
  private long readBefore;
  private @Nullable SegmentReader segment;
  private @Nullable WalDamage damage;

  private WalReader(Disk disk, List<Part> parts) {
    this.disk = disk;
    this.parts = parts;
  }

  /** Opens a log; one without any segment is empty. */
  public static WalReader open(Disk disk, Path folder) throws IOException {
    return open(new WalFolder(disk, folder), Integer.MAX_VALUE);
  }

  /** Opens what comes before a segment. */
  static WalReader open(WalFolder folder, int before) throws IOException {
    List<Part> parts = new ArrayList<>();
    int checkpoint = folder.newestCheckpoint();
    if (checkpoint >= 0) {
      WalFolder inner = new WalFolder(folder.disk(), folder.checkpoint(checkpoint));
      add(parts, inner, inner.segments(), 0, false);
    }
    List<Integer> numbers =
        folder.segments().stream().filter(n -> n > checkpoint && n < before).toList();
    int first = checkpoint < 0 && !numbers.isEmpty() ? numbers.getFirst() : checkpoint + 1;
    add(parts, folder, numbers, first, before == Integer.MAX_VALUE);
    return new WalReader(folder.disk(), parts);
  }

  /** Adds segments; where numbers are left out, the first missing one. */
  private static void add(
      List<Part> parts, WalFolder folder, List<Integer> numbers, int first, boolean endsLog)
      throws IOException {
    int expected = first;
    for (int number : numbers) {
      if (number != expected) {
        parts.add(new Part(folder.segment(expected), 0, false, false));
      }
      Path file = folder.segment(number);
      boolean isLast = endsLog && number == numbers.getLast();
      parts.add(new Part(file, folder.disk().size(file), true, isLast));
      expected = number + 1;
    }
  }

  /**
   * The next record; null behind the last, or where the log is damaged. The columns of samples are
   * the reader's own and filled again by the next call, unless they are taken: see {@link
   * #takeSamples}.
   */
  public @Nullable WalRecord next() throws IOException {
    while (damage == null) {
      SegmentReader in = segment == null ? nextSegment() : segment;
      if (in == null) {
        return null;
      }
      try {
        if (in.next()) {
          return decoder.decode(in.bytes(), in.from(), in.end());
        }
      } catch (CorruptRecordException e) {
        fail(in, e);
        return null;
      }
      endSegment(in);
    }
    return null;
  }

  private @Nullable SegmentReader nextSegment() throws IOException {
    if (nextPart == parts.size()) {
      return null;
    }
    Part part = parts.get(nextPart++);
    if (!part.isThere()) {
      damage =
          new WalDamage(
              part.file(),
              0,
              bytesFrom(nextPart),
              false,
              false,
              "expected this segment, it is missing");
      return null;
    }
    SegmentReader in = new SegmentReader(disk, part.file(), part.size(), part.isLast());
    segment = in;
    return in;
  }

  private void fail(SegmentReader in, CorruptRecordException e) {
    Part part = parts.get(nextPart - 1);
    long lost = part.size() - in.recordOffset() + bytesFrom(nextPart);
    damage =
        new WalDamage(
            part.file(),
            in.recordOffset(),
            lost,
            e.isTail(),
            e.isForeign(),
            String.valueOf(e.getMessage()));
    readBefore += in.recordOffset();
    segment = null;
    in.close();
  }

  private void endSegment(SegmentReader in) {
    readBefore += in.offset();
    segment = null;
    in.close();
  }

  private long bytesFrom(int part) {
    return parts.subList(part, parts.size()).stream().mapToLong(Part::size).sum();
  }

  /** Leaves the columns of the last record to the caller: the reader makes others. */
  public void takeSamples() {
    decoder.takeSamples();
  }

  /** Where and why reading stopped, once {@link #next} said null; null if it reached the end. */
  public @Nullable WalDamage damage() {
    return damage;
  }

  /** How many bytes there are in all, for telling progress. */
  public long sizeBytes() {
    return bytesFrom(0);
  }

  /** How many bytes were read. */
  public long readBytes() {
    return readBefore + (segment == null ? 0 : segment.offset());
  }

  /**
   * Makes a damaged log one that can be written on: cuts it off at the damage. What is cut off and
   * isn't an unfinished last write is kept beside, in files whose names end in {@code .corrupt}.
   */
  public static void repair(Disk disk, Path folder, WalDamage damage) throws IOException {
    WalRepair.repair(new WalFolder(disk, folder), damage);
  }

  @Override
  public void close() {
    if (segment != null) {
      segment.close();
      segment = null;
    }
  }
}
