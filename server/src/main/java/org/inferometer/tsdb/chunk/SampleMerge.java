package org.inferometer.tsdb.chunk;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.store.SampleColumns;

/**
 * Brings the samples that several sources have of one series into one order of time. Of two with
 * the same time the one of the earlier source stays. What a histogram's hint says of the sample
 * before it is forgotten where that is now one of another source; it is then looked for again.
 */
public final class SampleMerge {
  private final SampleColumns into;

  /** Whether the sample that was taken last is of the earlier sources. */
  private boolean isLastEarlier = true;

  private SampleMerge(SampleColumns into) {
    this.into = into;
  }

  /**
   * Merges what the next source appended with what earlier ones did. Costs nothing if all of it is
   * later, as it usually is.
   *
   * @param base the first sample of the series; those before aren't touched
   * @param start the first sample of the next source
   */
  public static void join(SampleColumns into, int base, int start) {
    if (start == base || start == into.size()) {
      return;
    }
    if (into.timestampMs(start) > into.timestampMs(start - 1)) {
      forget(into, start, false);
    } else {
      new SampleMerge(into).merge(base, start);
    }
  }

  /**
   * Makes a histogram tell nothing of the sample before it, which isn't the one it was.
   *
   * @param index of any sample, or the size for none
   */
  public static void forgetPast(SampleColumns columns, int index) {
    if (index < columns.size()) {
      forget(columns, index, true);
    }
  }

  private void merge(int base, int start) {
    SampleColumns later = part(start, into.size());
    into.resize(start);
    int place = into.firstAtOrAfter(later.timestampMs(0), base);
    SampleColumns earlier = part(place, start);
    into.resize(place);
    merge(earlier, later);
  }

  private SampleColumns part(int from, int to) {
    SampleColumns part = new SampleColumns(to - from);
    part.addAll(into, from, to);
    return part;
  }

  private void merge(SampleColumns earlier, SampleColumns later) {
    int e = 0;
    int l = 0;
    while (e < earlier.size() && l < later.size()) {
      int eEnd = earlier.firstAtOrAfter(later.timestampMs(l), e);
      take(earlier, e, eEnd, true);
      e = eEnd;
      if (e < earlier.size()) {
        if (earlier.timestampMs(e) == later.timestampMs(l)) {
          l++;
        }
        int lEnd = later.firstAtOrAfter(earlier.timestampMs(e), l);
        take(later, l, lEnd, false);
        l = lEnd;
      }
    }
    take(earlier, e, earlier.size(), true);
    take(later, l, later.size(), false);
  }

  private void take(SampleColumns from, int start, int end, boolean isEarlier) {
    if (start == end) {
      return;
    }
    int index = into.size();
    into.addAll(from, start, end);
    if (isEarlier != isLastEarlier) {
      forget(into, index, true);
    }
    isLastEarlier = isEarlier;
  }

  /**
   * A reset that was said stays one if the samples before it are only perhaps others: it holds
   * against all that are earlier.
   */
  private static void forget(SampleColumns columns, int index, boolean isOtherBefore) {
    NativeHistogram histogram = columns.histogram(index);
    if (histogram == null) {
      return;
    }
    boolean isForgotten =
        switch (histogram.resetHint()) {
          case NOT_RESET -> true;
          case RESET -> isOtherBefore;
          case UNKNOWN, GAUGE -> false;
        };
    if (isForgotten) {
      columns.replace(index, histogram.withHint(ResetHint.UNKNOWN));
    }
  }
}
