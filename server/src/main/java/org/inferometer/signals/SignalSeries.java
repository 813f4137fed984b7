package org.inferometer.signals;

import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * One series of a signal; the arrays have one element a time and belong to the reader.
 *
 * @param values NaN for a gap, and where only bounds are known
 * @param low lower bounds, for quantiles the lower edges of their buckets, else null
 * @param high upper bounds, for quantiles the upper edges of their buckets, infinite beyond the
 *     last finite one, else null
 * @param counts how many observations are behind a quantile, as far as rates can tell, else null
 */
@SuppressWarnings("ArrayRecordComponent") // columns that are read once and never compared
public record SignalSeries(
    Labels labels,
    double[] values,
    double @Nullable [] low,
    double @Nullable [] high,
    double @Nullable [] counts) {
  /** What bucket edges let be said of a value. */
  public enum Side {
    /** It lies between two edges, or it isn't a quantile. */
    WITHIN,
    /** It lies beyond the last finite edge; all that is known is that it is more than that. */
    ABOVE,
    /** It lies in the first bucket; all that is known is that it is at most that bucket's edge. */
    BELOW
  }

  static SignalSeries of(Labels labels, double[] values) {
    return new SignalSeries(labels, values, null, null, null);
  }

  /** What can be said of the value at a place. */
  public Side side(int index) {
    return side(values[index], low(index), high(index));
  }

  static Side side(double value, double low, double high) {
    if (Double.isNaN(value) || Double.isNaN(high)) {
      return Side.WITHIN;
    }
    if (high == Double.POSITIVE_INFINITY) {
      return Side.ABOVE;
    }
    return low > 0 ? Side.WITHIN : Side.BELOW;
  }

  /** The lower bound at a place, NaN if there is none. */
  public double low(int index) {
    return low == null ? Double.NaN : low[index];
  }

  /** The upper bound at a place, NaN if there is none. */
  public double high(int index) {
    return high == null ? Double.NaN : high[index];
  }

  /** Whether nothing is known at any time. */
  boolean isEmpty() {
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i]) || (high != null && !Double.isNaN(high[i]))) {
        return false;
      }
    }
    return true;
  }

  SignalSeries withoutTarget() {
    return new SignalSeries(labels.without(Target.LABELS), values, low, high, counts);
  }
}
