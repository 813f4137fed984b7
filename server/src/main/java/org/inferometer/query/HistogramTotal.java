package org.inferometer.query;

import org.inferometer.histogram.HistogramSum;
import org.inferometer.histogram.NativeHistogram;
import org.jspecify.annotations.Nullable;

/**
 * A running sum of native histograms that also gives their mean. Where the sum overflows, the mean
 * goes on as a running one. Not thread-safe.
 */
final class HistogramTotal {
  private @Nullable NativeHistogram sum;
  private @Nullable NativeHistogram mean;
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
    NativeHistogram before = sum;
    if (before == null) {
      sum = histogram;
      return false;
    }
    HistogramSum next = HistogramSum.of(before, histogram, 1);
    if (mean != null) {
      mean = runningMean(mean, histogram);
    } else if (isInfinite(next.result()) && !isInfinite(before) && !isInfinite(histogram)) {
      mean = runningMean(before.dividedBy(count - 1), histogram);
    }
    sum = next.result();
    return next.boundsReconciled();
  }

  private NativeHistogram runningMean(NativeHistogram before, NativeHistogram histogram) {
    double share = (double) (count - 1) / count;
    return before.times(share).plus(histogram.dividedBy(count));
  }

  private static boolean isInfinite(NativeHistogram h) {
    return Double.isInfinite(h.count()) || Double.isInfinite(h.sum());
  }

  NativeHistogram sum() {
    return present().compact();
  }

  NativeHistogram mean() {
    NativeHistogram running = mean;
    return (running == null ? present().dividedBy(count) : running).compact();
  }

  private NativeHistogram present() {
    NativeHistogram present = sum;
    if (present == null) {
      throw new IllegalStateException("expected a histogram to have been added");
    }
    return present;
  }
}
