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
   * The histogram with the hint that its predecessor gives it. A gauge stays one.
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
    if (previous == null || previous.isGauge()) {
      return counter;
    }
    if (counter.count() < previous.count()) {
      return counter.withHint(ResetHint.RESET);
    }
    if (!hasLayoutOf(previous, counter)) {
      return counter;
    }
    return counter.withHint(
        counter.isResetSince(previous) ? ResetHint.RESET : ResetHint.NOT_RESET);
  }

  private static boolean hasLayoutOf(NativeHistogram a, NativeHistogram b) {
    return a.schema() == b.schema()
        && a.zeroThreshold() == b.zeroThreshold()
        && Arrays.equals(a.customBounds(), b.customBounds());
  }
}
