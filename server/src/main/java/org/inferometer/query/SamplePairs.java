package org.inferometer.query;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.store.SampleColumns;

/** What happened between a sample and the one before it, of whatever kind they are. */
final class SamplePairs {
  private SamplePairs() {}

  /** Whether a counter was reset since the sample before. */
  static boolean isReset(SampleColumns samples, int index) {
    NativeHistogram before = samples.histogram(index - 1);
    NativeHistogram now = samples.histogram(index);
    if (before == null && now == null) {
      return samples.value(index) < samples.value(index - 1);
    }
    return before == null || now == null || now.isResetSince(before);
  }

  /** Whether the value isn't what it was. */
  static boolean isChange(SampleColumns samples, int index) {
    NativeHistogram before = samples.histogram(index - 1);
    NativeHistogram now = samples.histogram(index);
    if (before == null && now == null) {
      return isChange(samples.value(index - 1), samples.value(index));
    }
    return before == null || now == null || !now.sameAs(before);
  }

  static boolean isChange(double before, double now) {
    return now != before && !(Double.isNaN(now) && Double.isNaN(before));
  }

  /**
   * Whether a start time says that a counter was reset since the sample before: it began after
   * that, or just then. A counter whose start isn't known may say at first that it began when it
   * was first seen, and go on saying so.
   */
  static boolean isRestart(SampleColumns samples, int index) {
    long before = samples.timestampMs(index - 1);
    long start = samples.startMs(index);
    long startBefore = samples.startMs(index - 1);
    if (start == 0 || start == startBefore || start >= samples.timestampMs(index)) {
      return false;
    }
    return start > before || (start == before && startBefore != 0 && startBefore < before);
  }

  /** Whether a sample says that it began to count when the one before still counted. */
  static boolean isOverlap(SampleColumns samples, int index) {
    long start = samples.startMs(index);
    return start != 0
        && start < samples.timestampMs(index - 1)
        && start != samples.startMs(index - 1);
  }
}
