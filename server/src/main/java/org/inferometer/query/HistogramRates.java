package org.inferometer.query;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.query.RangeFunction.WindowHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Functions of how a native histogram changes over a window: as those of floats for each of its
 * numbers, but what is a reset, and how far to extrapolate, is decided for the histogram as a
 * whole. A result is a gauge: it may go up and down.
 */
final class HistogramRates {
  private final RangeNotes notes;

  HistogramRates(RangeNotes notes) {
    this.notes = notes;
  }

  RangeNotes notes() {
    return notes;
  }

  WindowHistogram rate() {
    return (in, step, from, to) -> {
      NativeHistogram increase = increase(in, step, from, to);
      return increase == null ? null : asGauge(increase.dividedBy(in.windows().rangeMs() / 1000.0));
    };
  }

  WindowHistogram increase() {
    return (in, step, from, to) -> {
      NativeHistogram increase = increase(in, step, from, to);
      return increase == null ? null : asGauge(increase);
    };
  }

  WindowHistogram delta() {
    return (in, step, from, to) -> {
      if (to - from < 2) {
        return null;
      }
      NativeHistogram first = in.requireHistogram(from);
      NativeHistogram last = in.requireHistogram(to - 1);
      if (!first.isGauge() || !last.isGauge()) {
        notes.notGauge(in.labels());
      }
      if (first.hasCustomBounds() != last.hasCustomBounds()) {
        notes.mixedSchemas(in.labels());
        return null;
      }
      double stretch = Extrapolation.ofGauge(in, step);
      return asGauge(notes.difference(last, first).times(stretch));
    };
  }

  static NativeHistogram asGauge(NativeHistogram result) {
    return result.compact().withHint(ResetHint.GAUGE);
  }

  private @Nullable NativeHistogram increase(WindowedSeries in, int step, int from, int to) {
    if (to - from < 2) {
      return null;
    }
    if (in.hasOverlap(step)) {
      notes.overlappingStart(in.labels());
    }
    boolean fromZero = in.startInWindowMs(step) != 0;
    // What the first sample counts is all lost in a reset right after it, so that its buckets,
    // which
    // may be laid out in another way, needn't be looked at.
    boolean firstIsLost = !fromZero && isReset(in, from + 1);
    int begin = firstIsLost ? from + 1 : from;
    warnOfGauges(in, from, to);
    if (!haveSameBuckets(in, begin, to)) {
      notes.mixedSchemas(in.labels());
      return null;
    }
    NativeHistogram change = in.requireHistogram(to - 1);
    if (!fromZero && !firstIsLost) {
      change = notes.difference(change, in.requireHistogram(from));
    }
    for (int k = begin + 1; k < to; k++) {
      if (isReset(in, k)) {
        change = notes.sum(change, in.requireHistogram(k - 1));
      }
    }
    NativeHistogram coarse = inCoarsestSchema(change, in, begin, to);
    double firstCount = in.requireHistogram(from).count();
    return coarse.times(Extrapolation.ofCounter(in, step, firstCount, coarse.count()));
  }

  private static boolean isReset(WindowedSeries in, int index) {
    int[] resets = in.resets();
    return resets[index] != resets[index - 1];
  }

  private void warnOfGauges(WindowedSeries in, int from, int to) {
    for (int k = from; k < to; k++) {
      if (in.requireHistogram(k).isGauge()) {
        notes.notCounter(in.labels());
        return;
      }
    }
  }

  private static boolean haveSameBuckets(WindowedSeries in, int from, int to) {
    boolean custom = in.requireHistogram(from).hasCustomBounds();
    for (int k = from + 1; k < to; k++) {
      if (in.requireHistogram(k).hasCustomBounds() != custom) {
        return false;
      }
    }
    return true;
  }

  private static NativeHistogram inCoarsestSchema(
      NativeHistogram change, WindowedSeries in, int from, int to) {
    int schema = change.schema();
    for (int k = from; k < to; k++) {
      schema = Math.min(schema, in.requireHistogram(k).schema());
    }
    return change.toSchema(schema);
  }

  /**
   * The change between two samples next to each other; null if there is none.
   *
   * @param counter whether to count from zero after a reset
   */
  @Nullable NativeHistogram instantaneous(WindowedSeries in, int last, boolean counter) {
    NativeHistogram before = in.requireHistogram(last - 1);
    NativeHistogram now = in.requireHistogram(last);
    if (counter && (before.isGauge() || now.isGauge())) {
      notes.notCounter(in.labels());
    }
    if (!counter && !(before.isGauge() && now.isGauge())) {
      notes.notGauge(in.labels());
    }
    if (counter && isReset(in, last)) {
      return asGauge(now);
    }
    if (before.hasCustomBounds() != now.hasCustomBounds()) {
      notes.mixedSchemas(in.labels());
      return null;
    }
    return asGauge(notes.difference(now, before));
  }
}
