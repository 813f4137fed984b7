package org.inferometer.tsdb.chunk;

import java.util.Arrays;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.io.BitReader;
import org.inferometer.io.BitWriter;

/** The state of a chunk whose counts are any numbers: each is written as {@link XorCode} does. */
final class FloatHistogramState extends HistogramState {
  private static final int OVERHEAD_BYTES = 24 + 2 * 16;
  private static final int COUNT = 0;
  private static final int ZERO_COUNT = 1;
  private static final int SUM = 2;
  private static final int BUCKETS = 3;

  /** Count, zero count, sum and the buckets. */
  private final long[] bits;

  private final short[] windows;

  FloatHistogramState(HistogramLayout layout) {
    super(layout);
    bits = new long[BUCKETS + layout.size()];
    windows = new short[bits.length];
    Arrays.fill(windows, XorCode.NO_WINDOW);
  }

  @Override
  double count() {
    return Double.longBitsToDouble(bits[COUNT]);
  }

  @Override
  double zeroCount() {
    return Double.longBitsToDouble(bits[ZERO_COUNT]);
  }

  @Override
  double sum() {
    return Double.longBitsToDouble(bits[SUM]);
  }

  @Override
  double bucket(int place) {
    return Double.longBitsToDouble(bits[BUCKETS + place]);
  }

  @Override
  int memoryBytes() {
    return OVERHEAD_BYTES + 10 * bits.length;
  }

  @Override
  void writeTotals(BitWriter out, NativeHistogram h, boolean isFirst) {
    write(out, COUNT, h.count(), isFirst);
    write(out, ZERO_COUNT, h.zeroCount(), isFirst);
    write(out, SUM, h.sum(), isFirst);
  }

  @Override
  long writeBucket(BitWriter out, int place, double count, long previous, boolean isFirst) {
    write(out, BUCKETS + place, count, isFirst);
    return 0;
  }

  private void write(BitWriter out, int index, double value, boolean isFirst) {
    long valueBits = Double.doubleToRawLongBits(value);
    if (isFirst) {
      out.writeBits(valueBits, 64);
    } else {
      windows[index] = XorCode.write(out, valueBits ^ bits[index], windows[index]);
    }
    bits[index] = valueBits;
  }

  @Override
  void readTotals(BitReader in, boolean isFirst) {
    read(in, COUNT, isFirst);
    read(in, ZERO_COUNT, isFirst);
    read(in, SUM, isFirst);
  }

  @Override
  long readBucket(BitReader in, int place, long previous, boolean isFirst) {
    read(in, BUCKETS + place, isFirst);
    return 0;
  }

  private void read(BitReader in, int index, boolean isFirst) {
    if (isFirst) {
      bits[index] = in.readBits(64);
    } else {
      XorCode.read(in, bits, windows, index);
    }
  }
}
