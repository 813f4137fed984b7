package org.inferometer.tsdb.chunk;

import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.io.BitReader;
import org.inferometer.io.BitWriter;
import org.inferometer.model.StalenessMarker;

/**
 * The numbers of the sample that was written to or read from a chunk of histograms last, and with
 * them what the code of the next one starts from. Buckets are numbered through, the positive ones
 * first. Not thread-safe.
 */
abstract sealed class HistogramState permits WholeHistogramState, FloatHistogramState {
  private final HistogramLayout layout;

  HistogramState(HistogramLayout layout) {
    this.layout = layout;
  }

  static HistogramState of(HistogramLayout layout, boolean isFloat) {
    return isFloat ? new FloatHistogramState(layout) : new WholeHistogramState(layout);
  }

  final HistogramLayout layout() {
    return layout;
  }

  abstract double count();

  abstract double zeroCount();

  abstract double sum();

  /** The count of a bucket, by its place in the layout. */
  abstract double bucket(int place);

  /** Bytes of the object and its arrays. */
  abstract int memoryBytes();

  /** Writes count, zero count and sum. */
  abstract void writeTotals(BitWriter out, NativeHistogram h, boolean isFirst);

  /**
   * Writes the count of a bucket.
   *
   * @param previous what this returned for the bucket before, and 0 for the first one of a sign
   */
  abstract long writeBucket(BitWriter out, int place, double count, long previous, boolean isFirst);

  abstract void readTotals(BitReader in, boolean isFirst);

  /** The counterpart of {@link #writeBucket}. */
  abstract long readBucket(BitReader in, int place, long previous, boolean isFirst);

  /** Writes a histogram that counts nothing outside of the layout. */
  final void write(BitWriter out, NativeHistogram h, boolean isFirst) {
    writeTotals(out, h, isFirst);
    writeBuckets(out, layout.positive(), h.positive(), 0, isFirst);
    writeBuckets(out, layout.negative(), h.negative(), layout.positive().length, isFirst);
  }

  private void writeBuckets(
      BitWriter out, int[] indexes, Buckets buckets, int firstPlace, boolean isFirst) {
    long previous = 0;
    int b = 0;
    for (int i = 0; i < indexes.length; i++) {
      while (b < buckets.size() && buckets.index(b) < indexes[i]) {
        b++;
      }
      boolean isThere = b < buckets.size() && buckets.index(b) == indexes[i];
      double count = isThere ? buckets.count(b) : 0;
      previous = writeBucket(out, firstPlace + i, count, previous, isFirst);
    }
  }

  final void read(BitReader in, boolean isFirst) {
    readTotals(in, isFirst);
    if (!isFirst && isStale()) {
      return; // Prometheus writes no buckets then
    }
    readBuckets(in, 0, layout.positive().length, isFirst);
    readBuckets(in, layout.positive().length, layout.size(), isFirst);
  }

  private void readBuckets(BitReader in, int from, int to, boolean isFirst) {
    long previous = 0;
    for (int place = from; place < to; place++) {
      previous = readBucket(in, place, previous, isFirst);
    }
  }

  /** Whether it says that the series ended, as Prometheus notes it in chunks of histograms. */
  final boolean isStale() {
    return StalenessMarker.is(sum());
  }
}
