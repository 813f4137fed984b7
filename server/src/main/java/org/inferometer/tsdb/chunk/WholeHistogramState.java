package org.inferometer.tsdb.chunk;

import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.io.BitReader;
import org.inferometer.io.BitWriter;

/**
 * The state of a chunk whose counts are whole: each is written as the change of its change, that of
 * a bucket less what the bucket before it changed by, since neighbours often grow alike.
 */
final class WholeHistogramState extends HistogramState {
  private static final int OVERHEAD_BYTES = 72 + 3 * 16 + 8 + 2;

  /** From here on not all whole numbers are numbers. */
  private static final double LIMIT = 0x1p53;

  private long count;
  private long countDelta;
  private long zeroCount;
  private long zeroCountDelta;
  private final long[] sumBits = new long[1];
  private final short[] sumWindow = {XorCode.NO_WINDOW};
  private final long[] counts;
  private final long[] deltas;

  WholeHistogramState(HistogramLayout layout) {
    super(layout);
    counts = new long[layout.size()];
    deltas = new long[layout.size()];
  }

  /** Whether all counts of a histogram are whole, so that it can be kept in such a chunk. */
  static boolean canHold(NativeHistogram h) {
    return isWhole(h.count())
        && isWhole(h.zeroCount())
        && areWhole(h.positive())
        && areWhole(h.negative());
  }

  private static boolean areWhole(Buckets buckets) {
    for (int i = 0; i < buckets.size(); i++) {
      if (!isWhole(buckets.count(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWhole(double count) {
    return count >= 0 && count < LIMIT && count == Math.rint(count);
  }

  @Override
  double count() {
    return unsigned(count);
  }

  @Override
  double zeroCount() {
    return unsigned(zeroCount);
  }

  /** Prometheus counts to the last bit. */
  private static double unsigned(long value) {
    return value >= 0 ? value : ((value >>> 1) | (value & 1)) * 2.0;
  }

  @Override
  double sum() {
    return Double.longBitsToDouble(sumBits[0]);
  }

  @Override
  double bucket(int place) {
    return counts[place];
  }

  @Override
  int memoryBytes() {
    return OVERHEAD_BYTES + 16 * counts.length;
  }

  @Override
  void writeTotals(BitWriter out, NativeHistogram h, boolean isFirst) {
    long newCount = (long) h.count();
    long newZeroCount = (long) h.zeroCount();
    long newSumBits = Double.doubleToRawLongBits(h.sum());
    if (isFirst) {
      out.writeUnsignedVarbit(newCount);
      out.writeUnsignedVarbit(newZeroCount);
      out.writeBits(newSumBits, 64);
    } else {
      out.writeVarbit(newCount - count - countDelta);
      out.writeVarbit(newZeroCount - zeroCount - zeroCountDelta);
      sumWindow[0] = XorCode.write(out, newSumBits ^ sumBits[0], sumWindow[0]);
      countDelta = newCount - count;
      zeroCountDelta = newZeroCount - zeroCount;
    }
    count = newCount;
    zeroCount = newZeroCount;
    sumBits[0] = newSumBits;
  }

  @Override
  long writeBucket(BitWriter out, int place, double newCount, long previous, boolean isFirst) {
    long whole = (long) newCount;
    long delta = whole - counts[place];
    long change = delta - deltas[place];
    out.writeVarbit(change - previous);
    counts[place] = whole;
    deltas[place] = isFirst ? 0 : delta;
    return change;
  }

  @Override
  void readTotals(BitReader in, boolean isFirst) {
    if (isFirst) {
      count = in.readUnsignedVarbit();
      zeroCount = in.readUnsignedVarbit();
      sumBits[0] = in.readBits(64);
      return;
    }
    countDelta += in.readVarbit();
    count += countDelta;
    zeroCountDelta += in.readVarbit();
    zeroCount += zeroCountDelta;
    XorCode.read(in, sumBits, sumWindow, 0);
  }

  @Override
  long readBucket(BitReader in, int place, long previous, boolean isFirst) {
    long change = previous + in.readVarbit();
    long delta = deltas[place] + change;
    counts[place] += delta;
    deltas[place] = isFirst ? 0 : delta;
    return change;
  }
}
