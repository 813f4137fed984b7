package org.inferometer.tsdb.block;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.tsdb.index.IdSet;
import org.jspecify.annotations.Nullable;

/**
 * The label pairs of an index file and where their postings are: on the heap is where each entry
 * is, and which are those of a name. Thread-safe.
 */
final class PostingsTable {
  /** Two, the lengths of name and value, an offset. */
  private static final int ENTRY_BYTES_MIN = 4;

  /** Ids that are read at once. */
  private static final int IDS_MAX = 1 << 12;

  private final IndexContents contents;
  private final long start;

  /** Where each entry is behind the start, as an unsigned number, and where the last one ends. */
  private final int[] entries;

  private final Map<String, Label> labels;
  private final List<String> names;

  /** The entries of a name, the first one and the one behind the last. */
  record Label(String name, int from, int to) {}

  private PostingsTable(
      IndexContents contents, long start, int[] entries, Map<String, Label> labels) {
    this.contents = contents;
    this.start = start;
    this.entries = entries;
    this.labels = labels;
    names = labels.keySet().stream().filter(name -> !name.isEmpty()).toList();
  }

  static PostingsTable read(IndexContents contents) {
    long at = contents.postingsTable();
    contents.checkSum(at, contents.section(at));
    MappedInput in = contents.section(at);
    long start = in.position();
    long count = in.u32();
    if (count > in.left() / ENTRY_BYTES_MIN) {
      throw new DamageException(
          "%s: expected at most %d entries at offset %d, got %d"
              .formatted(contents.path(), in.left() / ENTRY_BYTES_MIN, at, count));
    }
    Reading reading = new Reading(contents, in, start, (int) count);
    reading.run();
    return new PostingsTable(contents, start, reading.entries, reading.labels);
  }

  /** Goes through the table. */
  private static final class Reading {
    private final IndexContents contents;
    private final MappedInput in;
    private final long start;
    private final int[] entries;
    private final Map<String, Label> labels = new LinkedHashMap<>();
    private byte[] name = {};
    private byte[] value = {};
    private int labelFrom;

    Reading(IndexContents contents, MappedInput in, long start, int count) {
      this.contents = contents;
      this.in = in;
      this.start = start;
      entries = new int[count + 1];
    }

    void run() {
      int count = entries.length - 1;
      for (int i = 0; i < count; i++) {
        entries[i] = (int) (in.position() - start);
        readEntry(i);
      }
      entries[count] = (int) (in.position() - start);
      endLabel(count);
    }

    private void readEntry(int index) {
      long offset = in.position();
      int words = in.u8();
      byte[] nextName = in.bytes(in.count(1));
      byte[] nextValue = in.bytes(in.count(1));
      in.uvarint();
      int order = Arrays.compareUnsigned(name, nextName);
      boolean isLater = order < 0 || (order == 0 && Arrays.compareUnsigned(value, nextValue) < 0);
      if (words != 2 || (index > 0 && !isLater)) {
        throw new DamageException(
            "%s: expected name and value at offset %d after those before, got %d words, %s and %s"
                .formatted(contents.path(), offset, words, text(nextName), text(nextValue)));
      }
      if (order != 0) {
        endLabel(index);
        labelFrom = index;
      }
      name = nextName;
      value = nextValue;
    }

    private void endLabel(int to) {
      if (to > labelFrom) {
        String text = text(name);
        labels.put(text, new Label(text, labelFrom, to));
      }
    }

    private static String text(byte[] utf8) {
      return new String(utf8, StandardCharsets.UTF_8);
    }
  }

  List<String> names() {
    return names;
  }

  @Nullable Label label(String name) {
    return labels.get(name);
  }

  /** All entries. */
  int size() {
    return entries.length - 1;
  }

  /** What is read of the file, which may have been cut off since it was checked. */
  private interface Read<T> {
    T now();
  }

  private <T> T read(Read<T> read) {
    try {
      return read.now();
    } catch (IndexOutOfBoundsException | IllegalArgumentException | InternalError e) {
      throw new DamageException(
          "%s: expected postings up to offset %d: %s"
              .formatted(contents.path(), contents.end(), e.getMessage()),
          e);
    }
  }

  private MappedInput entry(int index) {
    MappedInput in = new MappedInput(contents.file(), entryOffset(index), entryOffset(index + 1));
    in.u8();
    in.skip(in.count(1));
    return in;
  }

  /** Where an entry is in the file. */
  long entryOffset(int index) {
    return start + Integer.toUnsignedLong(entries[index]);
  }

  /**
   * The value of an entry.
   *
   * @throws DamageException if it can't be read
   */
  String value(int index) {
    return read(() -> new String(valueBytes(index), StandardCharsets.UTF_8));
  }

  private byte[] valueBytes(int index) {
    MappedInput in = entry(index);
    return in.bytes(in.count(1));
  }

  /**
   * The entry of a value, or a negative number.
   *
   * @throws DamageException if it can't be read
   */
  int find(Label label, String value) {
    byte[] wanted = value.getBytes(StandardCharsets.UTF_8);
    return read(() -> find(label, wanted));
  }

  private int find(Label label, byte[] wanted) {
    int low = label.from;
    int high = label.to - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Arrays.compareUnsigned(valueBytes(middle), wanted);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -1;
  }

  /**
   * The ids of all series.
   *
   * @throws DamageException if they can't be read
   */
  IdSet allIds() {
    Label all = labels.get("");
    int entry = all == null ? -1 : find(all, "");
    return entry < 0 ? IdSet.EMPTY : ids(entry);
  }

  /** Where the postings of an entry are. */
  long postingsOffset(int index) {
    MappedInput in = entry(index);
    in.skip(in.count(1));
    return in.uvarint();
  }

  /**
   * The postings of an entry.
   *
   * @throws DamageException if they can't be read
   */
  IdSet ids(int index) {
    return read(() -> readIds(index));
  }

  private IdSet readIds(int index) {
    long offset = postingsOffset(index);
    MappedInput in = contents.section(offset);
    long count = in.u32();
    if (count * Integer.BYTES != in.left()) {
      throw new DamageException(
          "%s: expected %d series at offset %d, got %d"
              .formatted(contents.path(), in.left() / Integer.BYTES, offset, count));
    }
    contents.checkSum(offset, contents.section(offset));
    return ids(offset, in, (int) count);
  }

  private IdSet ids(long offset, MappedInput in, int count) {
    int[] ids = new int[count];
    byte[] buffer = new byte[Math.min(count, IDS_MAX) * Integer.BYTES];
    int before = -1;
    for (int i = 0; i < count; ) {
      int step = Math.min(count - i, IDS_MAX);
      in.bytes(buffer, step * Integer.BYTES);
      for (int j = 0; j < step; j++) {
        int id = (int) BigEndian.INT.get(buffer, j * Integer.BYTES);
        if (id <= before) {
          throw new DamageException(
              "%s: expected ascending series at offset %d, got %d after %d"
                  .formatted(contents.path(), offset, Integer.toUnsignedLong(id), before));
        }
        before = id;
        ids[i++] = id;
      }
    }
    return new IdSet(ids, count);
  }
}
