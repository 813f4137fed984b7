package org.inferometer.query;

import java.util.Arrays;
import java.util.Objects;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
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
  private final boolean startTimes;
  private Labels labels = Labels.EMPTY;
  private boolean nameDropped;
  private int size;
  private int[] resets = {};
  private boolean resetsCounted;

  /** For each sample how many histograms there are before it; filled if there is any. */
  private int[] histogramsBefore = {};

  private @Nullable WindowedSeries floats;

  /** Samples of windows that may be looked at before it is asked whether to go on. */
  private static final int CHECKED_SAMPLES = 1 << 20;

  private final Runnable check;
  private long unchecked;

  /** How many floats a sample of this series is as much work as. */
  private long weight = 1;

  /**
   * @param startTimes whether it counts when samples say that they began to count
   * @param check runs now and then while windows are gone through, and throws if that is to end:
   *     windows overlap, so what is in them may be far more than there is of the series
   */
  WindowedSeries(Windows windows, boolean startTimes, Runnable check) {
    this.windows = windows;
    this.startTimes = startTimes;
    this.check = check;
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
        add(rowSteps.timeMs(i), row, i);
      }
    }
    loaded(row.labels(), row.nameDropped());
  }

  /**
   * A point isn't next to the sample that its histogram followed, and may stand for one sample with
   * others: what that knew of resets doesn't hold.
   */
  private void add(long timeMs, Row row, int step) {
    NativeHistogram histogram = row.histogram(step);
    if (histogram == null) {
      columns.add(timeMs, row.value(step));
    } else {
      columns.add(timeMs, histogram.isGauge() ? histogram : histogram.withHint(ResetHint.UNKNOWN));
    }
  }

  private void loaded(Labels newLabels, boolean newNameDropped) {
    labels = newLabels;
    nameDropped = newNameDropped;
    size = withoutMarkers(columns);
    resetsCounted = false;
    slide();
    weight = 1;
    if (columns.hasHistograms()) {
      countHistograms();
      weight += columns.sampleEquivalents() / Math.max(1, size);
    }
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

  private void countHistograms() {
    if (histogramsBefore.length <= size) {
      histogramsBefore = new int[size + 1];
    }
    for (int i = 0; i < size; i++) {
      histogramsBefore[i + 1] = histogramsBefore[i] + (columns.histogram(i) == null ? 0 : 1);
    }
  }

  /** How many samples in the window of a step are histograms. */
  int histograms(int step) {
    return columns.hasHistograms() ? histogramsBefore[to[step]] - histogramsBefore[from[step]] : 0;
  }

  /** The floats alone, in all windows. Valid until this is loaded again or asked again. */
  WindowedSeries floats() {
    WindowedSeries view = floats == null ? new WindowedSeries(windows, startTimes, check) : floats;
    floats = view;
    view.columns.clear();
    for (int i = 0; i < size; i++) {
      if (columns.histogram(i) == null) {
        view.columns.add(columns.timestampMs(i), columns.value(i));
        view.columns.setStart(view.columns.size() - 1, columns.startMs(i));
      }
    }
    view.loaded(labels, nameDropped);
    return view;
  }

  /** The same, with nothing in windows that hold a histogram. */
  WindowedSeries unmixedFloats() {
    WindowedSeries view = floats();
    for (int i = 0; i < from.length; i++) {
      if (histograms(i) > 0) {
        view.to[i] = view.from[i];
      }
    }
    return view;
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

  /** Of a sample that is known to be one. */
  NativeHistogram requireHistogram(int index) {
    return Objects.requireNonNull(columns.histogram(index));
  }

  /** Whether the samples' start times count and any is known. */
  boolean hasStarts() {
    return startTimes && columns.hasStarts();
  }

  /**
   * When the counter began that the first sample in a window counts, if it began in the window;
   * else 0.
   */
  long startInWindowMs(int step) {
    if (!hasStarts()) {
      return 0;
    }
    long startMs = columns.startMs(from[step]);
    return startMs > windows.startMs(step) && startMs < columns.timestampMs(from[step])
        ? startMs
        : 0;
  }

  /** Whether a sample's value isn't that of the sample before. */
  boolean isChange(int index) {
    return SamplePairs.isChange(columns, index);
  }

  /** Whether a sample says that it began to count after the one before. */
  boolean isRestart(int index) {
    return hasStarts() && SamplePairs.isRestart(columns, index);
  }

  /** Whether a sample in a window began to count before one before it in the window ended. */
  boolean hasOverlap(int step) {
    for (int i = from[step] + 1; hasStarts() && i < to[step]; i++) {
      if (SamplePairs.isOverlap(columns, i)) {
        return true;
      }
    }
    return false;
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
    unchecked += (to[step] - from[step]) * weight;
    if (unchecked > CHECKED_SAMPLES) {
      unchecked = 0;
      check.run();
    }
    return to[step];
  }

  /**
   * For each sample how often the counter was reset up to it, counted from the first sample. That a
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
    if (columns.hasHistograms() || hasStarts()) {
      countResetsOfAnyKind();
    } else {
      countFalls();
    }
  }

  private void countFalls() {
    double[] values = columns.values();
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (i > 0 && values[i] < values[i - 1]) {
        count++;
      }
      resets[i] = count;
    }
  }

  private void countResetsOfAnyKind() {
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (i > 0 && (SamplePairs.isReset(columns, i) || isRestart(i))) {
        count++;
      }
      resets[i] = count;
    }
  }
}
