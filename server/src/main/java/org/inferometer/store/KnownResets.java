package org.inferometer.store;

import java.util.Arrays;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.jspecify.annotations.Nullable;

/**
 * What a store knows of counter resets by having seen the sample before: the hint that it gives
 * with a histogram when it is read, the same as those of Prometheus's store.
 */
public final class KnownResets {
  private KnownResets() {}

  /**
   * The histogram with the hint that its predecessor gives it: that it wasn't reset, or nothing. A
   * gauge stays one, and a reset that was said stays. One that was seen isn't told, so that it is
   * looked for again between the two samples that a query compares.
   *
   * @param previous the sample before in the series, null if there is none or it is a float
   */
  public static NativeHistogram after(
      @Nullable NativeHistogram previous, NativeHistogram histogram) {
    if (histogram.isGauge()) {
      return histogram;
    }
    if (histogram.resetHint() == ResetHint.RESET) {
      return histogram;
    }
    NativeHistogram counter = histogram.withHint(ResetHint.UNKNOWN);
    return previous == null
            || previous.isGauge()
            || !hasLayoutOf(previous, counter)
            || counter.isResetSince(previous)
        ? counter
        : counter.withHint(ResetHint.NOT_RESET);
  }

  private static boolean hasLayoutOf(NativeHistogram a, NativeHistogram b) {
    return a.schema() == b.schema()
        && a.zeroThreshold() == b.zeroThreshold()
        && Arrays.equals(a.customBounds(), b.customBounds());
  }
}
