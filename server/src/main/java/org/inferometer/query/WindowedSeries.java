package org.inferometer.query;

import java.util.Arrays;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.jspecify.annotations.Nullable;

/**
 * One series of a range vector: its samples decoded once, without staleness markers, and for each
 * step the stretch of them that lies in the window. Meant to be loaded with one series after the
 * other. Not thread-safe.
 */
final class WindowedSeries {
  private final Windows windows;
  private final SampleColumns columns = new SampleColumns();
  private final int[] from;
  private final int[] to;
  private Labels labels = Labels.EMPTY;
  private boolean nameDropped;
  private int size;
  private int[] resets = {};
  private boolean resetsCounted;

  WindowedSeries(Windows windows) {
    this.windows = windows;
    from = new int[windows.count()];
    to = new int[windows.count()];
  }

  void load(Series series) {
    columns.clear();
    series.read(windows.firstMs(), windows.lastMs(), columns);
    loaded(series.labels(), false);
  }

  /** Takes the points of an inner evaluation as samples. */
  void load(Row row, Steps rowSteps) {
    columns.clear();
    for (int i = 0; i < row.steps(); i++) {
      if (row.isPresent(i)) {
        columns.put(rowSteps.timeMs(i), row.value(i), row.histogram(i));
      }
    }
    loaded(row.labels(), row.nameDropped());
  }

  private void loaded(Labels newLabels, boolean newNameDropped) {
    labels = newLabels;
    nameDropped = newNameDropped;
    size = withoutMarkers(columns);
    resetsCounted = false;
    slide();
  }

  private static int withoutMarkers(SampleColumns columns) {
    double[] values = columns.values();
    int n = columns.size();
    int kept = 0;
    for (int i = 0; i < n; i++) {
      if (!StalenessMarker.is(values[i])) {
        if (kept != i) {
          columns.copy(i, kept);
        }
        kept++;
      }
    }
    return kept;
  }

  private void slide() {
    long[] times = columns.timestampsMs();
    int low = 0;
    int high = 0;
    for (int i = 0; i < from.length; i++) {
      long end = windows.endMs(i);
      long start = end - windows.rangeMs();
      while (high < size && times[high] <= end) {
        high++;
      }
      while (low < high && times[low] <= start) {
        low++;
      }
      from[i] = low;
      to[i] = high;
    }
  }

  Labels labels() {
    return labels;
  }

  boolean nameDropped() {
    return nameDropped;
  }

  Windows windows() {
    return windows;
  }

  int steps() {
    return from.length;
  }

  /** How many samples there are, over all windows. */
  int size() {
    return size;
  }

  /** How many samples of 16 bytes they weigh. */
  long sampleEquivalents() {
    return columns.sampleEquivalents();
  }

  /** Sample times; only the first {@link #size} count. */
  long[] timesMs() {
    return columns.timestampsMs();
  }

  /** Sample values; only the first {@link #size} count, and those of floats. */
  double[] values() {
    return columns.values();
  }

  /** Whether any sample may be a histogram, in which case its value means nothing. */
  boolean hasHistograms() {
    return columns.hasHistograms();
  }

  /** Null for a float sample. */
  @Nullable NativeHistogram histogram(int index) {
    return columns.histogram(index);
  }

  /** The samples' histograms with {@code from <= index < to}, null at floats; null for none. */
  @Nullable NativeHistogram @Nullable [] histograms(int from, int to) {
    if (!columns.hasHistograms()) {
      return null;
    }
    @Nullable NativeHistogram[] copy = new NativeHistogram[to - from];
    for (int i = from; i < to; i++) {
      copy[i - from] = columns.histogram(i);
    }
    return copy;
  }

  /** Index of the first sample in the window of a step. */
  int from(int step) {
    return from[step];
  }

  /** Index after the last sample in the window of a step. */
  int to(int step) {
    return to[step];
  }

  /**
   * For each sample how often the value went down up to it, counted from the first sample. That a
   * window has no reset is then known without looking at its samples.
   */
  int[] resets() {
    if (!resetsCounted) {
      countResets();
      resetsCounted = true;
    }
    return resets;
  }

  private void countResets() {
    if (resets.length < size) {
      resets = Arrays.copyOf(resets, columns.values().length);
    }
    double[] values = columns.values();
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (i > 0 && values[i] < values[i - 1]) {
        count++;
      }
      resets[i] = count;
    }
  }
}
