package org.inferometer.query.script;

import java.util.Arrays;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;

/** Whether two histograms are equal as the scripts mean it: numbers nearly, layout exactly. */
final class HistogramComparison {
  private HistogramComparison() {}

  static boolean equal(Slot.Histogram expected, NativeHistogram actual) {
    NativeHistogram h = expected.value();
    return h.schema() == actual.schema()
        && Comparison.equal(h.count(), actual.count())
        && Comparison.equal(h.sum(), actual.sum())
        && h.zeroThreshold() == actual.zeroThreshold()
        && Comparison.equal(h.zeroCount(), actual.zeroCount())
        && Arrays.equals(h.customBounds(), actual.customBounds())
        && equal(h.positive().compact(), actual.positive().compact())
        && equal(h.negative().compact(), actual.negative().compact())
        && (!expected.hintWritten() || h.resetHint() == actual.resetHint());
  }

  private static boolean equal(Buckets expected, Buckets actual) {
    if (expected.size() != actual.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      if (expected.index(i) != actual.index(i)
          || !Comparison.equal(expected.count(i), actual.count(i))) {
        return false;
      }
    }
    return true;
  }
}
