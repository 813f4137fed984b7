package org.inferometer.tsdb.block;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.store.SampleColumns;

/** Puts samples of overlapping chunks in order. */
final class SampleMerge {
  private SampleMerge() {}

  /**
   * Merges two ascending runs at the end of columns into one. Of two samples with the same time the
   * one of the first run stays.
   *
   * @param from where the first run begins
   * @param middle where the second begins
   */
  static void merge(SampleColumns columns, int from, int middle) {
    SampleColumns second = new SampleColumns(columns.size() - middle);
    second.addAll(columns, middle, columns.size());
    SampleColumns first = new SampleColumns(middle - from);
    int apart = columns.firstAtOrAfter(second.timestampMs(0), from);
    int kept = Math.min(apart, middle);
    first.addAll(columns, kept, middle);
    columns.resize(kept);
    new Merging(columns, first, second).run();
  }

  /** Two runs on their way into columns, stretch by stretch. */
  private record Merging(SampleColumns into, SampleColumns first, SampleColumns second) {
    void run() {
      int i = 0;
      int j = 0;
      while (i < first.size() && j < second.size()) {
        long timeMs = second.timestampMs(j);
        int to = first.firstAtOrAfter(timeMs, i);
        add(first, i, to);
        i = to;
        if (i < first.size()) {
          j += first.timestampMs(i) == timeMs ? 1 : 0;
          to = second.firstAtOrAfter(first.timestampMs(i), j);
          add(second, j, to);
          j = to;
        }
      }
      add(first, i, first.size());
      add(second, j, second.size());
    }

    private void add(SampleColumns run, int from, int to) {
      if (from < to) {
        int at = into.size();
        into.addAll(run, from, to);
        forgetPast(into, at);
      }
    }
  }

  /** Makes a histogram tell nothing of the sample before it, which isn't the one it was. */
  static void forgetPast(SampleColumns columns, int index) {
    NativeHistogram histogram = index < columns.size() ? columns.histogram(index) : null;
    if (histogram != null && !histogram.isGauge()) {
      columns.setHistogram(index, histogram.withHint(ResetHint.UNKNOWN));
    }
  }
}
