package org.inferometer.diagnosis.world;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.inferometer.signals.Layer;
import org.inferometer.signals.Quality;
import org.jspecify.annotations.Nullable;

/**
 * A signal of one thing: over the window, over the baseline, and along the timeline. In the
 * signal's unit; NaN for what isn't known. The arrays belong to the world and are only read.
 *
 * @param quality {@link Quality#ABSENT} if there is nothing
 * @param reason why it is absent, or how it was derived, or null
 * @param query the PromQL behind it, null if absent
 * @param value over the window: rates, shares and quantiles of all that happened in it, gauges
 *     their mean
 * @param low lower bound of a quantile, NaN for others
 * @param high upper bound of a quantile, infinite beyond the last bucket, NaN for others
 * @param baseline the same over the baseline
 * @param min lowest of the timeline within the window
 * @param max highest of the timeline within the window
 * @param timesMs of the timeline, ascending
 * @param values along the timeline, one a time
 * @param goal what users asked for, or null
 * @param detail what is known beside the values
 */
@SuppressWarnings("ArrayRecordComponent") // columns that are read and never compared
public record Reading(
    String signal,
    String title,
    String unit,
    Layer layer,
    Quality quality,
    @Nullable String reason,
    @Nullable String query,
    double value,
    double low,
    double high,
    double baseline,
    double min,
    double max,
    long[] timesMs,
    double[] values,
    @Nullable Double goal,
    Detail detail) {

  /**
   * What is known beside the values.
   *
   * @param count how many observations are behind a quantile, NaN for others
   * @param baselineLow lower bound of the baseline's quantile, NaN for others
   * @param baselineHigh upper bound of the baseline's quantile, NaN for others
   * @param baselineSpread of the timeline within the baseline around its median, as a standard
   *     deviation; NaN if there is none
   * @param splits what it is made of, where a signal is told apart by labels, by their values, such
   *     as {@code deferred}; else empty
   */
  public record Detail(
      double count,
      double baselineLow,
      double baselineHigh,
      double baselineSpread,
      Map<String, Reading> splits) {
    public static final Detail NONE =
        new Detail(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Map.of());

    public Detail {
      splits = Collections.unmodifiableMap(new LinkedHashMap<>(splits));
    }
  }

  /** A reading of which nothing more is known. */
  public Reading(
      String signal,
      String title,
      String unit,
      Layer layer,
      Quality quality,
      @Nullable String reason,
      @Nullable String query,
      double value,
      double low,
      double high,
      double baseline,
      double min,
      double max,
      long[] timesMs,
      double[] values,
      @Nullable Double goal) {
    this(
        signal,
        title,
        unit,
        layer,
        quality,
        reason,
        query,
        value,
        low,
        high,
        baseline,
        min,
        max,
        timesMs,
        values,
        goal,
        Detail.NONE);
  }

  /** The part of it with a label's value, such as {@code deferred}; absent if there is none. */
  public Reading split(String labelValue) {
    Reading part = detail.splits().get(labelValue);
    return part == null ? absent(signal, layer, "There is no " + labelValue + " in it.") : part;
  }

  /** What isn't there. */
  public static Reading absent(String signal, Layer layer, String reason) {
    return new Reading(
        signal,
        signal,
        "",
        layer,
        Quality.ABSENT,
        reason,
        null,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        new long[0],
        new double[0],
        null,
        Detail.NONE);
  }

  /** Whether it has a value in the window. */
  public boolean isKnown() {
    return !Double.isNaN(value);
  }

  /** Whether it has a value in the window and in the baseline. */
  public boolean isComparable() {
    return isKnown() && !Double.isNaN(baseline);
  }

  /** The value, or another one if it isn't known. */
  public double or(double other) {
    return isKnown() ? value : other;
  }

  /** The baseline's value, or another one if it isn't known. */
  public double baselineOr(double other) {
    return Double.isNaN(baseline) ? other : baseline;
  }

  /** The value through the baseline's; NaN if either isn't known or the baseline isn't above 0. */
  public double ratio() {
    return isComparable() && baseline > 0 ? value / baseline : Double.NaN;
  }

  /** The value less the baseline's; NaN if either isn't known. */
  public double rise() {
    return isComparable() ? value - baseline : Double.NaN;
  }

  /** Whether a quantile is beyond the last bucket, so that only a lower bound is known. */
  public boolean isBeyondLastBucket() {
    return high == Double.POSITIVE_INFINITY;
  }

  /** This reading as not to be trusted: without values, for a reason. */
  public Reading distrusted(String because) {
    Reading none = absent(signal, layer, because);
    return new Reading(
        signal,
        title,
        unit,
        layer,
        Quality.ABSENT,
        because,
        query,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        none.timesMs(),
        none.values(),
        goal,
        Detail.NONE);
  }
}
