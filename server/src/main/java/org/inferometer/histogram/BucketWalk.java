package org.inferometer.histogram;

/**
 * A way over the buckets of a histogram that count anything, in ascending or descending order,
 * without an object for each. After the last one it stays there.
 */
final class BucketWalk {
  private final NativeHistogram h;
  private final boolean ascending;
  private final int negatives;
  private final int end;
  private int next;
  private int place;
  private double lower;
  private double upper;
  private double count;

  private BucketWalk(NativeHistogram h, boolean ascending) {
    this.h = h;
    this.ascending = ascending;
    this.negatives = h.hasCustomBounds() ? 0 : h.negative().size();
    this.end = negatives + 1 + h.positive().size();
  }

  static BucketWalk ascending(NativeHistogram h) {
    return new BucketWalk(h, true);
  }

  static BucketWalk descending(NativeHistogram h) {
    return new BucketWalk(h, false);
  }

  /** Goes to the next bucket that counts anything; false if there is none. */
  boolean next() {
    while (next < end) {
      int candidate = ascending ? next : end - 1 - next;
      next++;
      double observations = countAt(candidate);
      if (observations != 0) {
        place = candidate;
        count = observations;
        findBounds();
        return true;
      }
    }
    return false;
  }

  /** Places are the negative buckets, the zero bucket and the positive ones, ascending. */
  private double countAt(int candidate) {
    if (candidate < negatives) {
      return h.negative().count(negatives - 1 - candidate);
    }
    if (candidate == negatives) {
      return h.hasCustomBounds() ? 0 : Math.max(0, h.zeroCount());
    }
    return h.positive().count(candidate - negatives - 1);
  }

  private void findBounds() {
    switch (side()) {
      case NEGATIVE -> {
        int index = h.negative().index(indexInSide());
        lower = -h.upperBound(index);
        upper = -outside(h.lowerBound(index), -lower);
      }
      case ZERO -> {
        lower = -h.zeroThreshold();
        upper = h.zeroThreshold();
      }
      case POSITIVE -> {
        int index = h.positive().index(indexInSide());
        upper = h.upperBound(index);
        lower = h.hasCustomBounds() ? h.lowerBound(index) : outside(h.lowerBound(index), upper);
      }
    }
  }

  /** Where the bucket lies. */
  enum Side {
    NEGATIVE,
    ZERO,
    POSITIVE
  }

  Side side() {
    if (place == negatives) {
      return Side.ZERO;
    }
    return place < negatives ? Side.NEGATIVE : Side.POSITIVE;
  }

  /** The bucket's place among those of its side that are there. */
  int indexInSide() {
    return place < negatives ? negatives - 1 - place : place - negatives - 1;
  }

  /** A bucket that the zero bucket was widened into keeps to what is outside of it. */
  private double outside(double inner, double outer) {
    return inner < h.zeroThreshold() && outer > h.zeroThreshold() ? h.zeroThreshold() : inner;
  }

  double lower() {
    return lower;
  }

  double upper() {
    return upper;
  }

  double count() {
    return count;
  }

  private boolean isZeroBucket() {
    return lower <= 0 && upper >= 0;
  }

  /** Whether observations are taken to lie evenly, rather than evenly on a logarithmic scale. */
  boolean isLinear() {
    return h.hasCustomBounds() || isZeroBucket();
  }

  /**
   * Where observations are taken to begin: at 0 in a custom bucket without a lower bound that
   * reaches above 0, and in a zero bucket if all others are positive.
   */
  double from() {
    if (h.hasCustomBounds()) {
      return lower == Double.NEGATIVE_INFINITY && upper > 0 ? 0 : lower;
    }
    return isZeroBucket() && h.negative().isEmpty() && !h.positive().isEmpty() ? 0 : lower;
  }

  /** Where observations are taken to end: at 0 in a zero bucket if all others are negative. */
  double to() {
    boolean negativeOnly = h.positive().isEmpty() && !h.negative().isEmpty();
    return !h.hasCustomBounds() && isZeroBucket() && negativeOnly ? 0 : upper;
  }

  /** The value below which a share of the bucket's observations lies. */
  double valueAt(double share) {
    return isLinear() ? from() + (to() - from()) * share : Interpolation.value(lower, upper, share);
  }

  /** The share of the bucket's observations that lies below a value within it. */
  double shareBelow(double value) {
    if (isLinear()) {
      return from() == Double.NEGATIVE_INFINITY ? 1 : (value - from()) / (to() - from());
    }
    return Interpolation.share(lower, upper, value);
  }
}
