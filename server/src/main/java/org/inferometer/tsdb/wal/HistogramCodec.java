package org.inferometer.tsdb.wal;

import java.util.List;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;

/**
 * Histograms in records.
 *
 * <pre>
 * record      type (1)  base ref (8)  base time (8)
 *             { delta of ref (varint)  delta of time (varint)  histogram }*
 * type        7 whole counts, 8 any counts; 9 and 10 the same with custom bounds
 * histogram   reset hint (1)  schema (varint)  zero threshold (8)  zero count  count  sum (8)
 *             positive spans  negative spans  positive buckets  negative buckets  custom bounds
 * spans       number (uvarint)  { offset (varint)  length (uvarint) }*
 * counts      uvarint if whole, 8 bytes otherwise
 * buckets     number (uvarint)  { change from the bucket before (varint) }*  if whole
 *             number (uvarint)  { count (8) }*                               otherwise
 * bounds      with schema -53 only: number (uvarint)  { bound (8) }*
 * </pre>
 *
 * The offset of the first span is the index of its first bucket, that of others how many buckets
 * are left out before it.
 */
final class HistogramCodec {
  /** From here on not all whole numbers are numbers. */
  private static final double WHOLE_MAX = 0x1p53;

  /** The place of each is its number. */
  private static final List<ResetHint> HINTS =
      List.of(ResetHint.UNKNOWN, ResetHint.RESET, ResetHint.NOT_RESET, ResetHint.GAUGE);

  private HistogramCodec() {}

  /** The type of a record that can hold it. */
  static int type(NativeHistogram h) {
    return RecordTypes.ofHistograms(!isWhole(h), h.hasCustomBounds());
  }

  private static boolean isWhole(NativeHistogram h) {
    return isWhole(h.count())
        && isWhole(h.zeroCount())
        && isWhole(h.positive())
        && isWhole(h.negative());
  }

  private static boolean isWhole(Buckets buckets) {
    for (int i = 0; i < buckets.size(); i++) {
      if (!isWhole(buckets.count(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWhole(double count) {
    return count >= 0 && count < WHOLE_MAX && count == Math.rint(count);
  }

  static void write(RecordBytes out, NativeHistogram h, boolean isFloat) {
    out.u8(HINTS.indexOf(h.resetHint()));
    out.varint(h.schema());
    out.float64(h.zeroThreshold());
    writeCount(out, h.zeroCount(), isFloat);
    writeCount(out, h.count(), isFloat);
    out.float64(h.sum());
    writeSpans(out, h.positive());
    writeSpans(out, h.negative());
    writeBuckets(out, h.positive(), isFloat);
    writeBuckets(out, h.negative(), isFloat);
    if (h.hasCustomBounds()) {
      out.uvarint(h.customBounds().length);
      for (double bound : h.customBounds()) {
        out.float64(bound);
      }
    }
  }

  private static void writeCount(RecordBytes out, double count, boolean isFloat) {
    if (isFloat) {
      out.float64(count);
    } else {
      out.uvarint((long) count);
    }
  }

  private static void writeSpans(RecordBytes out, Buckets buckets) {
    int spans = 0;
    for (int i = 0; i < buckets.size(); i++) {
      spans += beginsSpan(buckets, i) ? 1 : 0;
    }
    out.uvarint(spans);
    int begin = 0;
    while (begin < buckets.size()) {
      int end = begin + 1;
      while (end < buckets.size() && !beginsSpan(buckets, end)) {
        end++;
      }
      long offset = buckets.index(begin);
      out.varint(begin == 0 ? offset : offset - buckets.index(begin - 1) - 1);
      out.uvarint(end - begin);
      begin = end;
    }
  }

  private static boolean beginsSpan(Buckets buckets, int i) {
    return i == 0 || buckets.index(i) != buckets.index(i - 1) + 1;
  }

  private static void writeBuckets(RecordBytes out, Buckets buckets, boolean isFloat) {
    out.uvarint(buckets.size());
    long last = 0;
    for (int i = 0; i < buckets.size(); i++) {
      if (isFloat) {
        out.float64(buckets.count(i));
      } else {
        long count = (long) buckets.count(i);
        out.varint(count - last);
        last = count;
      }
    }
  }

  /**
   * @throws CorruptRecordException if it isn't a histogram
   */
  static NativeHistogram read(RecordCursor in, boolean isFloat) throws CorruptRecordException {
    int hint = in.u8();
    long schema = in.varint();
    double zeroThreshold = in.float64();
    double zeroCount = readCount(in, isFloat);
    double count = readCount(in, isFloat);
    double sum = in.float64();
    long[] positiveSpans = readSpans(in);
    long[] negativeSpans = readSpans(in);
    try {
      return new NativeHistogram(
          Math.toIntExact(schema),
          count,
          sum,
          zeroThreshold,
          zeroCount,
          readBuckets(in, positiveSpans, isFloat),
          readBuckets(in, negativeSpans, isFloat),
          schema == NativeHistogram.CUSTOM_SCHEMA ? readBounds(in) : new double[0],
          hint < HINTS.size() ? HINTS.get(hint) : ResetHint.UNKNOWN);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new CorruptRecordException("not a histogram: " + e.getMessage(), e);
    }
  }

  private static double readCount(RecordCursor in, boolean isFloat) throws CorruptRecordException {
    return isFloat ? in.float64() : unsigned(in.uvarint());
  }

  private static double unsigned(long value) {
    return value >= 0 ? value : (value >>> 1) * 2.0;
  }

  /** Offset, length, offset, length, ... */
  private static long[] readSpans(RecordCursor in) throws CorruptRecordException {
    long[] spans = new long[2 * in.count(2)];
    for (int i = 0; i < spans.length; i += 2) {
      spans[i] = in.varint();
      spans[i + 1] = in.uvarint();
    }
    return spans;
  }

  private static Buckets readBuckets(RecordCursor in, long[] spans, boolean isFloat)
      throws CorruptRecordException {
    double[] counts = new double[in.count(isFloat ? Long.BYTES : 1)];
    int[] indexes = indexes(spans, counts.length);
    long last = 0;
    for (int i = 0; i < counts.length; i++) {
      if (isFloat) {
        counts[i] = in.float64();
      } else {
        last += in.varint();
        counts[i] = last;
      }
    }
    return Buckets.of(indexes, counts);
  }

  private static int[] indexes(long[] spans, int count) {
    int[] indexes = new int[count];
    int size = 0;
    long next = 0;
    for (int i = 0; i < spans.length; i += 2) {
      next = Math.addExact(next, spans[i]);
      long length = spans[i + 1];
      if (length < 0 || length > count - size) {
        throw new IllegalArgumentException("expected spans of " + count + " buckets, got more");
      }
      for (long end = size + length; size < end; size++) {
        indexes[size] = Math.toIntExact(next++);
      }
    }
    if (size < count) {
      throw new IllegalArgumentException("expected spans of " + count + " buckets, got " + size);
    }
    return indexes;
  }

  private static double[] readBounds(RecordCursor in) throws CorruptRecordException {
    double[] bounds = new double[in.count(Long.BYTES)];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = in.float64();
    }
    return bounds;
  }
}
