package org.inferometer.tsdb.chunk;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.io.BitReader;
import org.inferometer.io.BitWriter;

/**
 * What the histograms of one chunk have in common: schema, zero threshold, custom bounds, and which
 * buckets are there. Immutable.
 *
 * <pre>
 * layout          zero threshold  schema (varbit)  positive spans  negative spans  custom bounds
 * zero threshold  0                              0
 *                 1 ... 254                      2^(byte - 244)
 *                 255 + 8 bytes                  any
 * spans           count (unsigned varbit)  span*
 * span            length (unsigned varbit)  offset (varbit)
 * custom bounds   only with schema -53: count (unsigned varbit)  bound*
 * bound           1,000 times it plus 1 (unsigned varbit)   whole and from 0 to 33,554,430
 *                 0 (1 bit) + 8 bytes                       any
 * </pre>
 *
 * A span is a run of neighbouring buckets; its offset is the index of the first one for the first
 * span, and the number of buckets left out before it for the others.
 *
 * @param positive indexes of buckets, ascending
 * @param negative indexes of buckets, ascending
 */
record HistogramLayout(
    int schema, double zeroThreshold, int[] positive, int[] negative, double[] customBounds) {
  /** Bytes of the object and its arrays without their elements. */
  private static final int OVERHEAD_BYTES = 40 + 3 * 16;

  private static final int THRESHOLD_IN_FULL = 255;

  /** What is added to the exponent of a power of two to give the byte for it. */
  private static final int EXPONENT_BIAS = 244;

  private static final double BOUND_UNITS = 1_000;

  /** With one added it still fits into 25 bits. */
  private static final double BOUND_MAX = 33_554_430;

  static HistogramLayout of(NativeHistogram h) {
    return new HistogramLayout(
        h.schema(),
        h.zeroThreshold(),
        indexes(h.positive()),
        indexes(h.negative()),
        h.customBounds());
  }

  private static int[] indexes(Buckets buckets) {
    return IntStream.range(0, buckets.size()).map(buckets::index).toArray();
  }

  /** How many buckets there are. */
  int size() {
    return positive.length + negative.length;
  }

  int memoryBytes() {
    return OVERHEAD_BYTES + 4 * size() + 8 * customBounds.length;
  }

  /** Whether a histogram differs in nothing but its buckets. */
  boolean suits(NativeHistogram h) {
    return schema == h.schema()
        && zeroThreshold == h.zeroThreshold()
        && Arrays.equals(customBounds, h.customBounds());
  }

  /** With those buckets too in which a histogram that it suits counts anything. */
  HistogramLayout widened(NativeHistogram h) {
    return new HistogramLayout(
        schema,
        zeroThreshold,
        union(positive, h.positive()),
        union(negative, h.negative()),
        customBounds);
  }

  private static int[] union(int[] indexes, Buckets buckets) {
    IntStream others =
        IntStream.range(0, buckets.size()).filter(i -> buckets.count(i) != 0).map(buckets::index);
    return IntStream.concat(Arrays.stream(indexes), others).sorted().distinct().toArray();
  }

  void write(BitWriter out) {
    writeThreshold(out);
    out.writeVarbit(schema);
    writeSpans(out, positive);
    writeSpans(out, negative);
    if (schema == NativeHistogram.CUSTOM_SCHEMA) {
      out.writeUnsignedVarbit(customBounds.length);
      for (double bound : customBounds) {
        writeBound(out, bound);
      }
    }
  }

  private void writeThreshold(BitWriter out) {
    int code = Math.getExponent(zeroThreshold) + EXPONENT_BIAS;
    if (zeroThreshold == 0) {
      out.writeBits(0, 8);
    } else if (code > 0 && code < THRESHOLD_IN_FULL && zeroThreshold == power(code)) {
      out.writeBits(code, 8);
    } else {
      out.writeBits(THRESHOLD_IN_FULL, 8);
      out.writeBits(Double.doubleToRawLongBits(zeroThreshold), 64);
    }
  }

  private static double power(int code) {
    return Math.scalb(1.0, code - EXPONENT_BIAS);
  }

  private static void writeSpans(BitWriter out, int[] indexes) {
    int spans = 0;
    for (int i = 0; i < indexes.length; i++) {
      spans += beginsSpan(indexes, i) ? 1 : 0;
    }
    out.writeUnsignedVarbit(spans);
    int begin = 0;
    while (begin < indexes.length) {
      int end = begin + 1;
      while (end < indexes.length && !beginsSpan(indexes, end)) {
        end++;
      }
      out.writeUnsignedVarbit(end - begin);
      out.writeVarbit(begin == 0 ? indexes[0] : (long) indexes[begin] - indexes[begin - 1] - 1);
      begin = end;
    }
  }

  private static boolean beginsSpan(int[] indexes, int i) {
    return i == 0 || indexes[i] != indexes[i - 1] + 1;
  }

  private static void writeBound(BitWriter out, double bound) {
    double units = bound * BOUND_UNITS;
    double whole = Math.rint(units);
    if (units >= 0 && units <= BOUND_MAX && whole / BOUND_UNITS == bound) {
      out.writeUnsignedVarbit((long) whole + 1);
    } else {
      out.writeBits(0, 1);
      out.writeBits(Double.doubleToRawLongBits(bound), 64);
    }
  }

  /**
   * Reads a layout.
   *
   * @param endBit where the chunk ends: a bucket takes a bit at least in what follows, so a layout
   *     that has more of them than bits are left is refused before it takes memory
   * @throws IllegalArgumentException if it can't be one
   */
  static HistogramLayout read(BitReader in, int endBit) {
    double threshold = readThreshold(in);
    long schema = in.readVarbit();
    int[] positive = readSpans(in, endBit);
    int[] negative = readSpans(in, endBit);
    double[] bounds =
        schema == NativeHistogram.CUSTOM_SCHEMA ? readBounds(in, endBit) : new double[0];
    return new HistogramLayout(Math.toIntExact(schema), threshold, positive, negative, bounds);
  }

  private static double readThreshold(BitReader in) {
    int code = (int) in.readBits(8);
    return switch (code) {
      case 0 -> 0;
      case THRESHOLD_IN_FULL -> Double.longBitsToDouble(in.readBits(64));
      default -> power(code);
    };
  }

  private static int[] readSpans(BitReader in, int endBit) {
    long spans = readCount(in, endBit);
    int[] indexes = new int[16];
    int size = 0;
    long next = 0;
    for (int i = 0; i < spans; i++) {
      int sizeBefore = size;
      size = boundedBy(sizeBefore + readCount(in, endBit), in, endBit);
      next = Math.addExact(next, in.readVarbit());
      if (size > indexes.length) {
        indexes = Arrays.copyOf(indexes, Math.max(size, 2 * indexes.length));
      }
      for (int j = sizeBefore; j < size; j++) {
        indexes[j] = Math.toIntExact(next++);
      }
    }
    return Arrays.copyOf(indexes, size);
  }

  private static double[] readBounds(BitReader in, int endBit) {
    double[] bounds = new double[(int) readCount(in, endBit)];
    for (int i = 0; i < bounds.length; i++) {
      long code = in.readUnsignedVarbit();
      bounds[i] = code == 0 ? Double.longBitsToDouble(in.readBits(64)) : (code - 1) / BOUND_UNITS;
    }
    return bounds;
  }

  /** The number of things that take a bit at least each. */
  private static long readCount(BitReader in, int endBit) {
    return boundedBy(in.readUnsignedVarbit(), in, endBit);
  }

  private static int boundedBy(long count, BitReader in, int endBit) {
    int left = endBit - in.position();
    if (count < 0 || count > left) {
      throw new IllegalArgumentException(
          "expected no more than the %d bits that are left, got %d".formatted(left, count));
    }
    return (int) count;
  }
}
