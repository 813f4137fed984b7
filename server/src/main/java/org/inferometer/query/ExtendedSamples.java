package org.inferometer.query;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.SampleColumns;

/**
 * The samples of a series in and around a window that moves on: those inside, the last one before,
 * and with {@code smoothed} the first one after, as far as the lookback reaches.
 */
final class ExtendedSamples {
  private final SampleColumns columns;
  private final boolean smoothed;
  private final long lookbackMs;
  private final long[] times;
  private final double[] values;
  private int size;
  private long startMs;
  private long endMs;

  /** The first sample after the window's start, and the first after its end. */
  private int from;

  private int to;

  /**
   * @param columns staleness markers are taken out
   */
  ExtendedSamples(SampleColumns columns, boolean smoothed, long lookbackMs) {
    this.columns = columns;
    this.smoothed = smoothed;
    this.lookbackMs = lookbackMs;
    times = columns.timestampsMs();
    values = columns.values();
    for (int i = 0; i < columns.size(); i++) {
      if (!StalenessMarker.is(values[i])) {
        columns.copy(i, size++);
      }
    }
    columns.resize(size);
  }

  void moveTo(long newStartMs, long newEndMs) {
    startMs = newStartMs;
    endMs = newEndMs;
    while (from < size && times[from] <= startMs) {
      from++;
    }
    while (to < size && times[to] <= endMs) {
      to++;
    }
  }

  /** The first sample after the window's start. */
  int from() {
    return from;
  }

  /** The first sample after the window's end. */
  int to() {
    return to;
  }

  boolean hasInside() {
    return from < to;
  }

  boolean hasBefore() {
    return from > 0 && times[from - 1] > startMs - lookbackMs;
  }

  boolean hasAfter() {
    return to < size && times[to] < endMs + lookbackMs;
  }

  /** Whether some sample is after the start, and some, perhaps another, not after the end. */
  boolean isSpanned() {
    return hasInside() || (hasBefore() && hasAfter());
  }

  /** The first sample that the result depends on. */
  int involvedFrom() {
    return hasBefore() ? from - 1 : from;
  }

  /** The one after the last sample that the result depends on. */
  int involvedTo() {
    return smoothed && hasAfter() ? to + 1 : to;
  }

  boolean isHistogram(int index) {
    return columns.histogram(index) != null;
  }

  /** A sample that is known to be a histogram. */
  NativeHistogram histogram(int index) {
    return java.util.Objects.requireNonNull(columns.histogram(index));
  }

  /** How many samples that the result depends on are histograms. */
  int histograms() {
    int count = 0;
    for (int k = involvedFrom(); columns.hasHistograms() && k < involvedTo(); k++) {
      count += isHistogram(k) ? 1 : 0;
    }
    return count;
  }

  /** Whether there are both floats and histograms within the lookback before and after. */
  boolean isMixedInReach() {
    int histograms = 0;
    int all = 0;
    for (int k = 0; columns.hasHistograms() && k < size; k++) {
      if (times[k] > startMs - lookbackMs && times[k] < endMs + lookbackMs) {
        histograms += isHistogram(k) ? 1 : 0;
        all++;
      }
    }
    return histograms > 0 && histograms < all;
  }

  boolean isReset(int index) {
    return SamplePairs.isReset(columns, index);
  }

  /** Something that may have happened between a sample and the one before. */
  @FunctionalInterface
  interface Event {
    boolean at(SampleColumns columns, int index);
  }

  /** How often it happened from the last sample before to the last inside. */
  int count(Event event) {
    int count = 0;
    for (int k = involvedFrom() + 1; k < to; k++) {
      count += event.at(columns, k) ? 1 : 0;
    }
    return count;
  }

  /** How far the start is on the way from the last sample before to the next one. */
  double shareOfStart() {
    return share(from - 1, startMs);
  }

  /** How far the end is on the way from the last sample not after it to the next one. */
  double shareOfEnd() {
    return share(to - 1, endMs);
  }

  private double share(int before, long atMs) {
    return (double) (atMs - times[before]) / (times[before + 1] - times[before]);
  }

  /** Whether the value at the start lies between two samples or on the first of them. */
  boolean isStartBetween() {
    return hasBefore() && (from < to || hasAfter());
  }

  double anchor() {
    return hasBefore() ? values[from - 1] : values[from];
  }

  double lastInside() {
    return values[to - 1];
  }

  double smoothedStart(boolean asCounter) {
    return isStartBetween() ? interpolated(from - 1, shareOfStart(), asCounter) : values[from];
  }

  double smoothedEnd(boolean asCounter) {
    return hasAfter() ? interpolated(to - 1, shareOfEnd(), asCounter) : values[to - 1];
  }

  /** The value between a sample and the next; a counter that went down has begun at zero. */
  private double interpolated(int before, double share, boolean asCounter) {
    double low = values[before];
    double high = values[before + 1];
    if (share == 0) {
      return low;
    }
    return asCounter && high < low ? high * share : low + (high - low) * share;
  }

  /** What a counter had before each time it went down on the way from first to last. */
  double lostInResets(double first, double last) {
    double lost = 0;
    double previous = first;
    for (int k = from; k < to; k++) {
      lost += values[k] < previous ? previous : 0;
      previous = values[k];
    }
    return last < previous ? lost + previous : lost;
  }

  boolean isSmoothed() {
    return smoothed;
  }
}
