package org.inferometer.histogram;

import java.util.Arrays;
import org.inferometer.model.KahanSum;
import org.jspecify.annotations.Nullable;

/**
 * The sum or the mean of many histograms, in the coarsest of their layouts, with the rounding
 * errors of all numbers carried along. Not thread-safe.
 */
public final class CompensatedSum {
  /** Keeps the sum of as many of the largest numbers as will ever come from overflowing. */
  private static final double SCALE_OF_MEAN = 0x1p-64;

  private final double scale;
  private @Nullable NativeHistogram layout;
  private ResetHint hint = ResetHint.UNKNOWN;
  private final KahanSum count = new KahanSum();
  private final KahanSum sum = new KahanSum();
  private final KahanSum zeroCount = new KahanSum();
  private final BucketSums positive = new BucketSums();
  private final BucketSums negative = new BucketSums();
  private int histograms;
  private boolean reset;
  private boolean notReset;
  private boolean boundsReconciled;

  private CompensatedSum(double scale) {
    this.scale = scale;
  }

  /** One that {@link #sum} is asked of. */
  public static CompensatedSum forSum() {
    return new CompensatedSum(1);
  }

  /** One that {@link #mean} is asked of: it doesn't overflow where the sum would. */
  public static CompensatedSum forMean() {
    return new CompensatedSum(SCALE_OF_MEAN);
  }

  public boolean isEmpty() {
    return histograms == 0;
  }

  /**
   * @throws IncompatibleSchemas if buckets are exponential in one and custom in another
   */
  public void add(NativeHistogram histogram) {
    NativeHistogram before = layout;
    if (before == null) {
      hint = histogram.resetHint();
      start(histogram, scale);
    } else {
      hint = hint.with(histogram.resetHint());
      addNumbers(inCommonLayout(before, histogram));
    }
    histograms++;
    reset |= histogram.resetHint() == ResetHint.RESET;
    notReset |= histogram.resetHint() == ResetHint.NOT_RESET;
  }

  private NativeHistogram inCommonLayout(NativeHistogram before, NativeHistogram histogram) {
    if (before.schema() == histogram.schema()
        && before.zeroThreshold() == histogram.zeroThreshold()
        && Arrays.equals(before.customBounds(), histogram.customBounds())) {
      return histogram;
    }
    CommonLayout common = CommonLayout.of(current(before, 1), histogram);
    boundsReconciled |= common.reconciled();
    start(common.left(), 1);
    return common.right();
  }

  private void start(NativeHistogram histogram, double factor) {
    layout = histogram;
    count.set(histogram.count() * factor);
    sum.set(histogram.sum() * factor);
    zeroCount.set(histogram.zeroCount() * factor);
    positive.set(histogram.positive(), factor);
    negative.set(histogram.negative(), factor);
  }

  private void addNumbers(NativeHistogram histogram) {
    count.add(histogram.count() * scale);
    sum.add(histogram.sum() * scale);
    zeroCount.add(histogram.zeroCount() * scale);
    positive.add(histogram.positive(), scale);
    negative.add(histogram.negative(), scale);
  }

  /** The numbers so far, each divided by the same. */
  private NativeHistogram current(NativeHistogram in, double divisor) {
    return new NativeHistogram(
        in.schema(),
        count.value() / divisor,
        sum.value() / divisor,
        in.zeroThreshold(),
        zeroCount.value() / divisor,
        positive.dividedBy(divisor),
        negative.dividedBy(divisor),
        in.customBounds(),
        hint);
  }

  /**
   * @throws IllegalStateException if nothing was added
   */
  public NativeHistogram sum() {
    return current(requireLayout(), scale).compact();
  }

  /**
   * @throws IllegalStateException if nothing was added
   */
  public NativeHistogram mean() {
    NativeHistogram in = requireLayout();
    return current(in, histograms).times(1 / scale).compact();
  }

  private NativeHistogram requireLayout() {
    NativeHistogram present = layout;
    if (present == null) {
      throw new IllegalStateException("expected a histogram to have been added");
    }
    return present;
  }

  /** Whether of some it is known that there was a reset before, of others that there was none. */
  public boolean resetsContradict() {
    return reset && notReset;
  }

  /** Whether custom bounds differed, so that only the shared ones are left. */
  public boolean boundsReconciled() {
    return boundsReconciled;
  }
}
