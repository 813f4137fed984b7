package org.inferometer.histogram;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A native histogram: how observations are spread over buckets whose bounds follow from a schema,
 * or are given. Counts are numbers of any kind, since results of queries needn't be whole.
 * Immutable.
 *
 * <p>The model is that of Prometheus's native histogram specification, version 1.
 *
 * @param schema {@value #SCHEMA_MIN} to {@value #SCHEMA_MAX} for exponential buckets, the higher
 *     the finer, or {@value #CUSTOM_SCHEMA} for custom bounds
 * @param count observations in all; not necessarily the buckets' sum (NaN is in no bucket)
 * @param sum of the observed values
 * @param zeroThreshold half the width of the zero bucket, both ends included
 * @param zeroCount observations in the zero bucket
 * @param positive buckets above zero; with custom bounds all buckets
 * @param negative buckets below zero, by the index of their mirror image
 * @param customBounds upper bounds of custom buckets, ascending, without +Inf; empty otherwise
 */
public record NativeHistogram(
    int schema,
    double count,
    double sum,
    double zeroThreshold,
    double zeroCount,
    Buckets positive,
    Buckets negative,
    double[] customBounds,
    ResetHint resetHint) {
  public static final int CUSTOM_SCHEMA = -53;
  public static final int SCHEMA_MIN = ExponentialBounds.SCHEMA_MIN;
  public static final int SCHEMA_MAX = ExponentialBounds.SCHEMA_MAX;

  private static final double[] NO_BOUNDS = {};

  /**
   * @throws IllegalArgumentException if the schema is unknown, custom bounds aren't finite or don't
   *     ascend, custom buckets have no bounds, or the zero threshold is negative
   */
  public NativeHistogram {
    if (schema != CUSTOM_SCHEMA && (schema < SCHEMA_MIN || schema > SCHEMA_MAX)) {
      throw new IllegalArgumentException(
          "expected schema %d to %d, or %d, got %d"
              .formatted(SCHEMA_MIN, SCHEMA_MAX, CUSTOM_SCHEMA, schema));
    }
    if (!(zeroThreshold >= 0)) {
      throw new IllegalArgumentException(
          "expected a zero threshold that isn't negative, got " + zeroThreshold);
    }
    checkBounds(customBounds);
    if (schema == CUSTOM_SCHEMA
        && !positive.isEmpty()
        && (positive.index(0) < 0 || positive.lastIndex() > customBounds.length)) {
      throw new IllegalArgumentException(
          "expected indexes 0 to %d of custom buckets, got %d to %d"
              .formatted(customBounds.length, positive.index(0), positive.lastIndex()));
    }
  }

  private static void checkBounds(double[] bounds) {
    double last = Double.NEGATIVE_INFINITY;
    for (double bound : bounds) {
      if (!(bound > last) || bound == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException(
            "expected finite, ascending bounds, got " + Arrays.toString(bounds));
      }
      last = bound;
    }
  }

  /** Exponential buckets. */
  public static NativeHistogram exponential(
      int schema,
      double count,
      double sum,
      double zeroThreshold,
      double zeroCount,
      Buckets positive,
      Buckets negative) {
    return new NativeHistogram(
        schema,
        count,
        sum,
        zeroThreshold,
        zeroCount,
        positive,
        negative,
        NO_BOUNDS,
        ResetHint.UNKNOWN);
  }

  /**
   * Custom buckets: bucket {@code i} reaches from bound {@code i - 1} to bound {@code i}, the first
   * begins at -Inf (or 0 where positive bounds only are known to be meant, as quantiles do), the
   * last ends at +Inf.
   */
  public static NativeHistogram custom(
      double count, double sum, Buckets buckets, double[] customBounds) {
    return new NativeHistogram(
        CUSTOM_SCHEMA, count, sum, 0, 0, buckets, Buckets.NONE, customBounds, ResetHint.UNKNOWN);
  }

  public boolean hasCustomBounds() {
    return schema == CUSTOM_SCHEMA;
  }

  public boolean isGauge() {
    return resetHint == ResetHint.GAUGE;
  }

  public NativeHistogram withHint(ResetHint hint) {
    return hint == resetHint
        ? this
        : new NativeHistogram(
            schema, count, sum, zeroThreshold, zeroCount, positive, negative, customBounds, hint);
  }

  /** The same without buckets that count nothing. */
  public NativeHistogram compact() {
    return withBuckets(positive.compact(), negative.compact());
  }

  private NativeHistogram withBuckets(Buckets newPositive, Buckets newNegative) {
    return new NativeHistogram(
        schema,
        count,
        sum,
        zeroThreshold,
        zeroCount,
        newPositive,
        newNegative,
        customBounds,
        resetHint);
  }

  /** What it weighs against a limit on samples, of 16 bytes each. */
  public int sampleEquivalents() {
    return (int) Math.max(1, (memoryBytes() + 15) / 16);
  }

  /** A close estimate of the bytes that it takes. */
  public long memoryBytes() {
    return 120 + 12L * (positive.size() + negative.size()) + 8L * customBounds.length;
  }

  /** The sum of two; {@link HistogramSum} also tells what had to be reconciled. */
  public NativeHistogram plus(NativeHistogram other) {
    return HistogramSum.of(this, other, 1).result();
  }

  public NativeHistogram minus(NativeHistogram other) {
    return HistogramSum.of(this, other, -1).result();
  }

  /** All counts and the sum, multiplied. By a negative number it becomes a gauge. */
  public NativeHistogram times(double factor) {
    return scaled(1, factor);
  }

  /**
   * All counts and the sum, divided. Of a division by 0 no bucket is left: each would be infinite
   * or NaN, as count and sum are.
   */
  public NativeHistogram dividedBy(double divisor) {
    NativeHistogram quotient = scaled(divisor, 1);
    return divisor == 0 ? quotient.withBuckets(Buckets.NONE, Buckets.NONE) : quotient;
  }

  private NativeHistogram scaled(double divisor, double factor) {
    return new NativeHistogram(
        schema,
        count * factor / divisor,
        sum * factor / divisor,
        zeroThreshold,
        zeroCount * factor / divisor,
        positive.mapCounts(c -> c * factor / divisor),
        negative.mapCounts(c -> c * factor / divisor),
        customBounds,
        factor < 0 || divisor < 0 ? ResetHint.GAUGE : resetHint);
  }

  /**
   * The same in a coarser schema.
   *
   * @throws IllegalArgumentException if the target is finer, or either has custom bounds
   */
  public NativeHistogram toSchema(int target) {
    if (target == schema) {
      return this;
    }
    if (target > schema || hasCustomBounds() || target == CUSTOM_SCHEMA) {
      throw new IllegalArgumentException("can't turn schema " + schema + " into " + target);
    }
    return new NativeHistogram(
        target,
        count,
        sum,
        zeroThreshold,
        zeroCount,
        positive.mapIndexes(i -> ExponentialBounds.coarser(i, schema, target)),
        negative.mapIndexes(i -> ExponentialBounds.coarser(i, schema, target)),
        customBounds,
        resetHint);
  }

  /** The upper bound of a positive bucket. */
  public double upperBound(int index) {
    if (!hasCustomBounds()) {
      return ExponentialBounds.upper(index, schema);
    }
    return index < customBounds.length ? customBounds[index] : Double.POSITIVE_INFINITY;
  }

  /** The lower bound of a positive bucket. */
  public double lowerBound(int index) {
    if (!hasCustomBounds()) {
      return ExponentialBounds.upper(index - 1L, schema);
    }
    return index == 0 ? Double.NEGATIVE_INFINITY : customBounds[index - 1];
  }

  /** A positive bucket, for {@code 0 <= i < positive().size()}; lower bound excluded. */
  public Bucket positiveBucket(int i) {
    int index = positive.index(i);
    double lower = lowerBound(index);
    return new Bucket(
        lower, upperBound(index), lower == Double.NEGATIVE_INFINITY, true, positive.count(i));
  }

  /** A negative bucket, for {@code 0 <= i < negative().size()}; upper bound excluded. */
  public Bucket negativeBucket(int i) {
    int index = negative.index(i);
    return new Bucket(-upperBound(index), -lowerBound(index), true, false, negative.count(i));
  }

  public Bucket zeroBucket() {
    return new Bucket(-zeroThreshold, zeroThreshold, true, true, zeroCount);
  }

  /**
   * All buckets in ascending order, the zero bucket at its place if it counts anything. Where the
   * zero bucket was widened into them, the outer ones keep to what is outside of it.
   */
  public List<Bucket> buckets() {
    List<Bucket> buckets = new ArrayList<>(positive.size() + negative.size() + 1);
    for (int i = negative.size() - 1; i >= 0; i--) {
      Bucket b = negativeBucket(i);
      buckets.add(
          b.upper() > -zeroThreshold && b.lower() < -zeroThreshold
              ? new Bucket(b.lower(), -zeroThreshold, true, false, b.count())
              : b);
    }
    if (zeroCount > 0) {
      buckets.add(zeroBucket());
    }
    for (int i = 0; i < positive.size(); i++) {
      Bucket b = positiveBucket(i);
      buckets.add(
          !hasCustomBounds() && b.lower() < zeroThreshold && b.upper() > zeroThreshold
              ? new Bucket(zeroThreshold, b.upper(), false, true, b.count())
              : b);
    }
    return buckets;
  }

  /**
   * Whether the counter was reset since an earlier sample: by its hint, or because something counts
   * less than it did.
   */
  public boolean isResetSince(NativeHistogram previous) {
    return ResetDetection.isReset(previous, this);
  }

  /**
   * The quantile of the observations by interpolation within a bucket: on a logarithmic scale in
   * exponential ones, on a linear one in the zero bucket and in custom ones. NaN if there are no
   * observations; see {@link HistogramQuantile}.
   *
   * @param q in 0..1; below it gives -Inf, above it +Inf
   */
  public double quantile(double q) {
    return HistogramQuantile.of(q, this);
  }

  /** The share of observations between two values; NaN if there are none or the limits are. */
  public double fraction(double lower, double upper) {
    return HistogramFraction.of(lower, upper, this);
  }

  /** The population variance, each observation taken to be at the middle of its bucket. */
  public double variance() {
    return HistogramVariance.of(this);
  }

  /** The mean of the observations; NaN if there are none. */
  public double mean() {
    return sum / count;
  }

  /** What is left of it up to a value; see {@link HistogramTrim}. */
  public NativeHistogram upTo(double value) {
    return HistogramTrim.of(this, value, true);
  }

  /** What is left of it above a value; see {@link HistogramTrim}. */
  public NativeHistogram above(double value) {
    return HistogramTrim.of(this, value, false);
  }

  /** Equal but for the hint: the same schema, numbers bit for bit, and buckets that count. */
  public boolean sameAs(NativeHistogram o) {
    return schema == o.schema
        && same(count, o.count)
        && same(sum, o.sum)
        && zeroThreshold == o.zeroThreshold
        && same(zeroCount, o.zeroCount)
        && positive.equals(o.positive)
        && negative.equals(o.negative)
        && Arrays.equals(customBounds, o.customBounds);
  }

  private static boolean same(double a, double b) {
    return a == b || (Double.isNaN(a) && Double.isNaN(b));
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof NativeHistogram other && resetHint == other.resetHint && sameAs(other);
  }

  @Override
  public int hashCode() {
    return Double.hashCode(count) * 31 + positive.hashCode() * 7 + negative.hashCode() + schema;
  }

  /** As count_values and messages show it. */
  @Override
  public String toString() {
    return HistogramText.of(this);
  }
}
