package org.inferometer.query;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * What extended windows that hold native histograms come to: as with floats, the value at one edge
 * less that at the other, resets undone, but a reset is one of the histogram as a whole.
 */
final class ExtendedHistograms {
  private final ExtendedSamples samples;
  private final RangeNotes notes;
  private final Labels series;

  /**
   * @param samples those that the result depends on are all histograms
   */
  ExtendedHistograms(ExtendedSamples samples, RangeNotes notes, Labels series) {
    this.samples = samples;
    this.notes = notes;
    this.series = series;
  }

  /** The value at the window's end; null if its neighbours don't fit each other. */
  @Nullable NativeHistogram end() {
    if (!haveSameBuckets()) {
      return null;
    }
    int last = samples.to() - 1;
    boolean counter =
        !samples.histogram(last).isGauge()
            && !(samples.hasAfter() && samples.histogram(last + 1).isGauge());
    return valueAtEnd(counter).compact();
  }

  private boolean haveSameBuckets() {
    int from = samples.involvedFrom();
    boolean custom = samples.histogram(from).hasCustomBounds();
    for (int k = from + 1; k < samples.involvedTo(); k++) {
      if (samples.histogram(k).hasCustomBounds() != custom) {
        notes.mixedSchemas(series);
        return false;
      }
    }
    return true;
  }

  /** The change from edge to edge; null if it has no meaning. */
  @Nullable NativeHistogram change(boolean counter) {
    warnOfKind(counter);
    if (!haveSameBuckets()) {
      return null;
    }
    NativeHistogram change = notes.difference(valueAtEnd(counter), valueAtStart(counter));
    if (counter) {
      change = withResets(change);
    }
    return HistogramRates.asGauge(change);
  }

  private void warnOfKind(boolean counter) {
    int from = samples.involvedFrom();
    int last = samples.involvedTo() - 1;
    if (!counter && !(samples.histogram(from).isGauge() && samples.histogram(last).isGauge())) {
      notes.notGauge(series);
    }
    for (int k = from; counter && k <= last; k++) {
      if (samples.histogram(k).isGauge()) {
        notes.notCounter(series);
        return;
      }
    }
  }

  private NativeHistogram valueAtStart(boolean counter) {
    int from = samples.from();
    if (samples.isSmoothed()) {
      return samples.isStartBetween()
          ? interpolated(from - 1, samples.shareOfStart(), counter)
          : samples.histogram(from);
    }
    return samples.histogram(samples.involvedFrom());
  }

  private NativeHistogram valueAtEnd(boolean counter) {
    int last = samples.to() - 1;
    return samples.isSmoothed() && samples.hasAfter()
        ? interpolated(last, samples.shareOfEnd(), counter)
        : samples.histogram(last);
  }

  /** Between a sample and the next; a counter that was reset has begun at zero. */
  private NativeHistogram interpolated(int before, double share, boolean counter) {
    NativeHistogram low = samples.histogram(before);
    NativeHistogram high = samples.histogram(before + 1);
    if (share == 0) {
      return low;
    }
    return counter && samples.isReset(before + 1)
        ? high.times(share)
        : notes.sum(low, notes.difference(high, low).times(share));
  }

  /**
   * Adds what was lost in each reset between the edges. A value that was interpolated across a
   * reset has it in itself.
   */
  private NativeHistogram withResets(NativeHistogram change) {
    NativeHistogram total = change;
    int first = isStartASample() ? samples.involvedFrom() + 1 : samples.from() + 1;
    for (int k = first; k < samples.to(); k++) {
      total = plusLost(total, k);
    }
    boolean crossesIntoEnd = samples.isSmoothed() && samples.hasAfter() && samples.shareOfEnd() > 0;
    if (crossesIntoEnd && (samples.hasInside() || isStartASample())) {
      total = plusLost(total, samples.to());
    }
    return total;
  }

  private NativeHistogram plusLost(NativeHistogram total, int index) {
    return samples.isReset(index) ? notes.sum(total, samples.histogram(index - 1)) : total;
  }

  private boolean isStartASample() {
    return !samples.isSmoothed() || !samples.isStartBetween() || samples.shareOfStart() == 0;
  }
}
