package org.inferometer.signals;

import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * One series of a signal; the arrays have one element a time and belong to the reader.
 *
 * @param values NaN for a gap
 * @param low lower bucket edges for quantiles, else null
 * @param high upper bucket edges for quantiles, infinite beyond the last finite one, else null
 */
@SuppressWarnings("ArrayRecordComponent") // columns that are read once and never compared
public record SignalSeries(
    Labels labels, double[] values, double @Nullable [] low, double @Nullable [] high) {
  SignalSeries withoutTarget() {
    return new SignalSeries(labels.without(Target.LABELS), values, low, high);
  }
}
