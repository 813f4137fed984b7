package org.inferometer.histogram;

import java.util.Arrays;

/**
 * Two histograms brought to one layout, so that their buckets can be held against each other: the
 * coarser schema and the wider zero bucket, or the custom bounds that both have.
 *
 * @param reconciled whether custom bounds differed
 */
record CommonLayout(NativeHistogram left, NativeHistogram right, boolean reconciled) {
  /**
   * @throws IncompatibleSchemas if one has custom bounds and the other hasn't
   */
  static CommonLayout of(NativeHistogram left, NativeHistogram right) {
    if (left.hasCustomBounds() != right.hasCustomBounds()) {
      throw new IncompatibleSchemas();
    }
    return left.hasCustomBounds() ? custom(left, right) : exponential(left, right);
  }

  private static CommonLayout exponential(NativeHistogram left, NativeHistogram right) {
    NativeHistogram a = left;
    NativeHistogram b = right;
    while (a.zeroThreshold() != b.zeroThreshold()) {
      double wider = Math.max(a.zeroThreshold(), b.zeroThreshold());
      a = ZeroBucket.widened(a, wider).in(a);
      b = ZeroBucket.widened(b, wider).in(b);
    }
    int schema = Math.min(a.schema(), b.schema());
    return new CommonLayout(a.toSchema(schema), b.toSchema(schema), false);
  }

  private static CommonLayout custom(NativeHistogram left, NativeHistogram right) {
    if (Arrays.equals(left.customBounds(), right.customBounds())) {
      return new CommonLayout(left, right, false);
    }
    double[] shared = intersection(left.customBounds(), right.customBounds());
    return new CommonLayout(withBounds(left, shared), withBounds(right, shared), true);
  }

  private static double[] intersection(double[] a, double[] b) {
    return Arrays.stream(a).filter(bound -> Arrays.binarySearch(b, bound) >= 0).toArray();
  }

  /**
   * @param bounds a subset of its bounds
   */
  private static NativeHistogram withBounds(NativeHistogram h, double[] bounds) {
    Buckets merged =
        h.positive()
            .mapIndexes(
                i -> {
                  int found = Arrays.binarySearch(bounds, h.upperBound(i));
                  return found < 0 ? -found - 1 : found;
                });
    return new NativeHistogram(
        h.schema(),
        h.count(),
        h.sum(),
        h.zeroThreshold(),
        h.zeroCount(),
        merged,
        h.negative(),
        bounds,
        h.resetHint());
  }
}
