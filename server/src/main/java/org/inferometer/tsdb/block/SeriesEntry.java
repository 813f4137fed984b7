package org.inferometer.tsdb.block;

import java.util.Arrays;
import org.inferometer.model.Labels;

/** A series as it stands in an index file. Immutable. */
final class SeriesEntry {
  /** Three numbers. */
  private static final int CHUNK_BYTES_MIN = 3;

  private final SymbolTable symbols;

  /** Numbers of names and values by turns. */
  private final int[] labels;

  private final long[] minsMs;
  private final long[] maxsMs;
  private final long[] references;

  /**
   * @throws IllegalArgumentException or {@link IndexOutOfBoundsException} if it isn't one
   */
  SeriesEntry(SymbolTable symbols, Bytes in) {
    this.symbols = symbols;
    labels = new int[2 * in.count(2)];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = symbolNumber(in.uvarint());
    }
    int chunks = in.count(CHUNK_BYTES_MIN);
    minsMs = new long[chunks];
    maxsMs = new long[chunks];
    references = new long[chunks];
    for (int i = 0; i < chunks; i++) {
      minsMs[i] = i == 0 ? in.varint() : maxsMs[i - 1] + in.uvarint();
      maxsMs[i] = minsMs[i] + in.uvarint();
      references[i] = i == 0 ? in.uvarint() : references[i - 1] + in.varint();
      if (minsMs[i] > maxsMs[i]) {
        throw new IllegalArgumentException(
            "expected a chunk that ends after %d, got %d".formatted(minsMs[i], maxsMs[i]));
      }
    }
    if (in.hasMore()) {
      throw new IllegalArgumentException(
          "expected nothing more, got %d bytes".formatted(in.left()));
    }
  }

  private int symbolNumber(long number) {
    if (number < 0 || number >= symbols.size()) {
      throw new IllegalArgumentException(
          "expected a symbol below %d, got %s"
              .formatted(symbols.size(), Long.toUnsignedString(number)));
    }
    return (int) number;
  }

  int labelCount() {
    return labels.length / 2;
  }

  int nameNumber(int label) {
    return labels[2 * label];
  }

  int valueNumber(int label) {
    return labels[2 * label + 1];
  }

  Labels labels() {
    String[] pairs = new String[labels.length];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = symbols.get(labels[i]);
    }
    return Labels.ofOrdered(pairs);
  }

  /** The value of a label, or "" if it isn't there. */
  String value(String name) {
    int number = valueNumber(name);
    return number < 0 ? "" : symbols.get(number);
  }

  /** The number of a label's value, or a negative one if it isn't there. */
  int valueNumber(String name) {
    for (int i = 0; i < labels.length; i += 2) {
      if (symbols.get(labels[i]).equals(name)) {
        return labels[i + 1];
      }
    }
    return -1;
  }

  int chunkCount() {
    return minsMs.length;
  }

  long minMs(int chunk) {
    return minsMs[chunk];
  }

  long maxMs(int chunk) {
    return maxsMs[chunk];
  }

  long reference(int chunk) {
    return references[chunk];
  }

  /** The earliest time of all chunks; the largest number for none. */
  long minMs() {
    return Arrays.stream(minsMs).min().orElse(Long.MAX_VALUE);
  }

  /** The latest time of all chunks; the smallest number for none. */
  long maxMs() {
    return Arrays.stream(maxsMs).max().orElse(Long.MIN_VALUE);
  }
}
