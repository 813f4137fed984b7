package org.inferometer.tsdb.block;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The names and values of an index file by their numbers: where each is, and the texts of some that
 * were asked for. Thread-safe.
 */
final class SymbolTable {
  /** More than the values of the labels that a dashboard picks by. */
  private static final int CACHED_MAX = 1 << 13;

  /** Longer texts are rare, and would make the cache large. */
  private static final int CACHED_BYTES_MAX = 128;

  private final IndexContents contents;
  private final long start;
  private final long end;

  /** Where each is behind the start, as an unsigned number. */
  private final int[] offsets;

  /** By the lowest bits of their numbers. What a race loses is only looked up again. */
  private final @Nullable Symbol[] cached;

  private record Symbol(int number, String text) {}

  private SymbolTable(IndexContents contents, long start, long end, int[] offsets) {
    this.contents = contents;
    this.start = start;
    this.end = end;
    this.offsets = offsets;
    cached = new Symbol[Math.min(CACHED_MAX, Math.max(1, Integer.highestOneBit(offsets.length)))];
  }

  static SymbolTable read(IndexContents contents) {
    long at = contents.symbols();
    contents.checkSum(at, contents.section(at));
    MappedInput in = contents.section(at);
    long start = in.position();
    long count = in.u32();
    if (count > in.left()) {
      throw new DamageException(
          "%s: expected at most %d symbols at offset %d, got %d"
              .formatted(contents.path(), in.left(), at, count));
    }
    int[] offsets = new int[(int) count];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = (int) (in.position() - start);
      in.skip(in.count(1));
    }
    return new SymbolTable(contents, start, in.position(), offsets);
  }

  int size() {
    return offsets.length;
  }

  /**
   * @throws IllegalArgumentException if there is no such number
   */
  String get(long number) {
    if (number < 0 || number >= offsets.length) {
      throw new IllegalArgumentException(
          "expected a symbol below %d, got %d".formatted(offsets.length, number));
    }
    int index = (int) number;
    int slot = index & (cached.length - 1);
    Symbol symbol = cached[slot];
    return symbol != null && symbol.number == index ? symbol.text : read(index, slot);
  }

  private String read(int index, int slot) {
    byte[] utf8 = bytes(index);
    String text = new String(utf8, StandardCharsets.UTF_8);
    if (utf8.length <= CACHED_BYTES_MAX) {
      cached[slot] = new Symbol(index, text);
    }
    return text;
  }

  /** The UTF-8 of a symbol. */
  byte[] bytes(int index) {
    MappedInput in = new MappedInput(contents.file(), offset(index), offset(index + 1));
    return in.bytes(in.count(1));
  }

  /** Where a symbol is in the file. */
  long offset(int index) {
    return index == offsets.length ? end : start + Integer.toUnsignedLong(offsets[index]);
  }
}
