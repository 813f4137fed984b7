package org.inferometer.exposition;

import java.util.Arrays;
import org.inferometer.histogram.Buckets;
import org.inferometer.io.ProtoException;
import org.inferometer.io.ProtoReader;

/**
 * The buckets of one sign of a native histogram as protobuf has them: spans of neighbouring
 * buckets, and for each bucket its count or how that differs from the one before. Reused. Not
 * thread-safe.
 */
final class SparseBuckets {
  /** Buckets or spans; instrumentation keeps to some hundred. Bounds memory. */
  static final int BUCKETS_MAX = 1 << 16;

  /** No float64 lies in a bucket beyond, in the finest schema. */
  static final int INDEX_MAX = 1 << 20;

  private int[] offsets = new int[8];
  private int[] lengths = new int[8];
  private int spans;

  /** Running sums of the deltas. */
  private long[] whole = new long[32];

  private int wholeSize;
  private double[] floats = new double[32];
  private int floatSize;

  // The span that is read.
  private int offset;
  private int length;

  void clear() {
    spans = 0;
    wholeSize = 0;
    floatSize = 0;
  }

  boolean hasSpans() {
    return spans > 0;
  }

  void addSpan(ProtoReader span) throws ProtoException {
    int start = span.position();
    offset = 0;
    length = 0;
    while (span.next()) {
      switch (span.field()) {
        case 1 -> offset = (int) span.zigzag();
        case 2 -> length = span.varint32();
        default -> {}
      }
    }
    if (spans == BUCKETS_MAX || length < 0 || length > BUCKETS_MAX) {
      throw new ProtoException(
          start, "at most " + BUCKETS_MAX + " spans, each of as many buckets at most");
    }
    if (spans == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * spans);
      lengths = Arrays.copyOf(lengths, 2 * spans);
    }
    offsets[spans] = offset;
    lengths[spans++] = length;
  }

  /** Adds what a field of deltas holds, packed or not. */
  void addDeltas(ProtoReader message) throws ProtoException {
    int start = message.position();
    message.zigzags(this::addDelta);
    requireRoom(start, wholeSize);
  }

  /** Once there are too many, the rest isn't kept. */
  private void addDelta(long delta) {
    if (wholeSize == whole.length && wholeSize <= BUCKETS_MAX) {
      whole = Arrays.copyOf(whole, Math.min(2 * wholeSize, BUCKETS_MAX + 1));
    }
    if (wholeSize < whole.length) {
      // Overflow shows as a negative count.
      whole[wholeSize] = (wholeSize == 0 ? 0 : whole[wholeSize - 1]) + delta;
      wholeSize++;
    }
  }

  /** Adds what a field of counts holds, packed or not. */
  void addCounts(ProtoReader message) throws ProtoException {
    int start = message.position();
    message.float64s(this::addCount);
    requireRoom(start, floatSize);
  }

  private void addCount(double count) {
    if (floatSize == floats.length && floatSize <= BUCKETS_MAX) {
      floats = Arrays.copyOf(floats, Math.min(2 * floatSize, BUCKETS_MAX + 1));
    }
    if (floatSize < floats.length) {
      floats[floatSize++] = count;
    }
  }

  private static void requireRoom(int at, int size) throws ProtoException {
    if (size > BUCKETS_MAX) {
      throw new ProtoException(at, "at most " + BUCKETS_MAX + " bucket counts");
    }
  }

  /**
   * The sum of all whole counts.
   *
   * @param at of the histogram in the body
   */
  long total(int at) throws ProtoException {
    long total = 0;
    for (int i = 0; i < wholeSize; i++) {
      total += whole[i];
      if (whole[i] < 0 || total < 0) {
        throw new ProtoException(at, "bucket counts that aren't negative and fit in 63 bits");
      }
    }
    return total;
  }

  /**
   * The buckets, checked.
   *
   * @param ofFloats whether the counts are those given as floats
   * @param coarser by how many schemas they are to be coarser than they were sent
   * @param at of the histogram in the body
   */
  Buckets toBuckets(boolean ofFloats, int coarser, int at) throws ProtoException {
    int size = ofFloats ? floatSize : wholeSize;
    requireEqual(size, at);
    int[] indexes = new int[size];
    double[] counts = new double[size];
    int n = -1;
    int read = 0;
    long index = 0;
    for (int span = 0; span < spans; span++) {
      if (span > 0 && offsets[span] < 0) {
        throw new ProtoException(at, "spans that ascend, got the offset " + offsets[span]);
      }
      index += offsets[span];
      for (int i = 0; i < lengths[span]; i++) {
        int shifted = index(index++, coarser, at);
        double count = count(ofFloats, read++, at);
        if (n < 0 || indexes[n] != shifted) {
          indexes[++n] = shifted;
        }
        counts[n] += count;
      }
    }
    return size == 0
        ? Buckets.NONE
        : Buckets.of(Arrays.copyOf(indexes, n + 1), Arrays.copyOf(counts, n + 1));
  }

  private void requireEqual(int size, int at) throws ProtoException {
    long sum = 0;
    for (int span = 0; span < spans; span++) {
      sum += lengths[span];
    }
    if (sum != size) {
      throw new ProtoException(
          at, "a count for each of the " + sum + " buckets in the spans, got " + size);
    }
  }

  private static int index(long sent, int coarser, int at) throws ProtoException {
    long index = coarser == 0 ? sent : ((sent - 1) >> coarser) + 1;
    if (index < -INDEX_MAX || index > INDEX_MAX) {
      throw new ProtoException(
          at, "bucket indexes from -" + INDEX_MAX + " to " + INDEX_MAX + ", got " + index);
    }
    return (int) index;
  }

  private double count(boolean ofFloats, int i, int at) throws ProtoException {
    double count = ofFloats ? floats[i] : whole[i];
    if (!(count >= 0)) {
      throw new ProtoException(at, "bucket counts that aren't negative, got " + count);
    }
    return count;
  }
}
