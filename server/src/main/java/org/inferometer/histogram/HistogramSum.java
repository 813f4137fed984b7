package org.inferometer.histogram;

/**
 * The sum or difference of two histograms, in the coarser of their layouts. A difference is a
 * gauge.
 *
 * @param resetsContradict whether the hints say that there was a reset and that there was none
 * @param boundsReconciled whether custom bounds differed, so that only the shared ones are left
 */
public record HistogramSum(
    NativeHistogram result, boolean resetsContradict, boolean boundsReconciled) {
  /**
   * @param sign 1 for the sum, -1 for the difference
   * @throws IncompatibleSchemas if one has custom buckets and the other exponential ones
   */
  public static HistogramSum of(NativeHistogram left, NativeHistogram right, int sign) {
    CommonLayout layout = CommonLayout.of(left, right);
    NativeHistogram a = layout.left();
    NativeHistogram b = layout.right();
    NativeHistogram result =
        new NativeHistogram(
            a.schema(),
            a.count() + sign * b.count(),
            a.sum() + sign * b.sum(),
            a.zeroThreshold(),
            a.zeroCount() + sign * b.zeroCount(),
            a.positive().plus(b.positive(), sign),
            a.negative().plus(b.negative(), sign),
            a.customBounds(),
            sign < 0 ? ResetHint.GAUGE : left.resetHint().with(right.resetHint()));
    return new HistogramSum(
        result, left.resetHint().contradicts(right.resetHint()), layout.reconciled());
  }
}
