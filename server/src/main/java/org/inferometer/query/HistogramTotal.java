package org.inferometer.query;

import org.inferometer.histogram.HistogramSum;
import org.inferometer.histogram.NativeHistogram;
import org.jspecify.annotations.Nullable;

/** A running sum of native histograms, which also gives their mean. Not thread-safe. */
final class HistogramTotal {
  private @Nullable NativeHistogram total;
  private int count;

  boolean isEmpty() {
    return count == 0;
  }

  /**
   * @return whether custom bounds had to be reconciled
   * @throws org.inferometer.histogram.IncompatibleSchemas if buckets are exponential in one and
   *     custom in another
   */
  boolean add(NativeHistogram histogram) {
    count++;
    NativeHistogram before = total;
    if (before == null) {
      total = histogram;
      return false;
    }
    HistogramSum sum = HistogramSum.of(before, histogram, 1);
    total = sum.result();
    return sum.boundsReconciled();
  }

  NativeHistogram sum() {
    return present().compact();
  }

  NativeHistogram mean() {
    return present().dividedBy(count).compact();
  }

  private NativeHistogram present() {
    NativeHistogram present = total;
    if (present == null) {
      throw new IllegalStateException("expected a histogram to have been added");
    }
    return present;
  }
}
