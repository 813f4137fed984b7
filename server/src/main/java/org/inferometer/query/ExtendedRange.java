package org.inferometer.query;

import java.util.Locale;
import java.util.Set;
import org.inferometer.model.StalenessMarker;
import org.inferometer.promql.Expr.RangeExtension;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;

/**
 * Functions over range selectors that take in samples from outside the window: with {@code
 * anchored} the last sample at or before the window's start, with {@code smoothed} the values that
 * a line between neighbours has at both edges. So what happens at an edge belongs to exactly one of
 * two adjoining windows, and nothing is extrapolated. Samples are looked for as far outside as the
 * lookback reaches.
 */
final class ExtendedRange {
  private static final Set<String> ANCHORED =
      Set.of("changes", "delta", "increase", "rate", "resets");
  private static final Set<String> SMOOTHED = Set.of("delta", "increase", "rate");

  private final String function;
  private final boolean smoothed;
  private final boolean counter;
  private final Windows windows;
  private final long lookbackMs;

  /**
   * @throws Abort if the function has no meaning for such a range
   */
  ExtendedRange(String function, RangeExtension extension, Windows windows, long lookbackMs) {
    this.function = function;
    this.smoothed = extension == RangeExtension.SMOOTHED;
    this.counter = !function.equals("delta");
    this.windows = windows;
    this.lookbackMs = lookbackMs;
    requireAllowed(extension);
  }

  private void requireAllowed(RangeExtension extension) {
    Set<String> allowed = smoothed ? SMOOTHED : ANCHORED;
    if (!allowed.contains(function)) {
      throw Abort.execution(
          extension.name().toLowerCase(Locale.ROOT)
              + " modifier can only be used with: "
              + String.join(", ", allowed.stream().sorted().toList())
              + " - not with "
              + function);
    }
  }

  /**
   * @param columns scratch space
   */
  Row row(Series series, SampleColumns columns) {
    Samples samples = read(series, columns);
    Row row = new Row(series.labels(), false, windows.count());
    for (int i = 0; i < windows.count(); i++) {
      samples.moveTo(windows.startMs(i), windows.endMs(i));
      if (smoothed ? samples.isSpanned() : samples.hasInside()) {
        row.set(i, value(samples));
      }
    }
    return row;
  }

  private Samples read(Series series, SampleColumns columns) {
    columns.clear();
    long beyondMs = smoothed ? lookbackMs : 0;
    series.read(windows.firstMs() - lookbackMs, windows.lastMs() + beyondMs, columns);
    return new Samples(columns);
  }

  private double value(Samples samples) {
    double first = smoothed ? samples.smoothedStart(counter) : samples.anchor();
    double last = smoothed ? samples.smoothedEnd(counter) : samples.lastInside();
    return switch (function) {
      case "changes" -> samples.changesFrom(first);
      case "resets" -> samples.resetsFrom(first);
      case "delta" -> last - first;
      case "increase" -> last - first + samples.lostInResets(first, last);
      default -> (last - first + samples.lostInResets(first, last)) / (windows.rangeMs() / 1000.0);
    };
  }

  /** The samples of a series around a window that moves on. */
  private final class Samples {
    private final long[] times;
    private final double[] values;
    private int size;
    private long startMs;
    private long endMs;

    /** The first sample after the window's start, and the first after its end. */
    private int from;

    private int to;

    Samples(SampleColumns columns) {
      times = columns.timestampsMs();
      values = columns.values();
      for (int i = 0; i < columns.size(); i++) {
        if (!StalenessMarker.is(values[i])) {
          times[size] = times[i];
          values[size++] = values[i];
        }
      }
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

    boolean hasInside() {
      return from < to;
    }

    private boolean hasBefore() {
      return from > 0 && times[from - 1] > startMs - lookbackMs;
    }

    private boolean hasAfter() {
      return to < size && times[to] < endMs + lookbackMs;
    }

    /** Whether some sample is after the start, and some, perhaps another, not after the end. */
    boolean isSpanned() {
      return hasInside() || (hasBefore() && hasAfter());
    }

    double anchor() {
      return hasBefore() ? values[from - 1] : values[from];
    }

    double lastInside() {
      return values[to - 1];
    }

    double smoothedStart(boolean asCounter) {
      return hasBefore() && (from < to || hasAfter())
          ? interpolated(from - 1, startMs, asCounter)
          : values[from];
    }

    double smoothedEnd(boolean asCounter) {
      return hasAfter() ? interpolated(to - 1, endMs, asCounter) : values[to - 1];
    }

    /** The value between a sample and the next; a counter that went down has begun at zero. */
    private double interpolated(int before, long atMs, boolean asCounter) {
      double low = values[before];
      double high = values[before + 1];
      double share = (double) (atMs - times[before]) / (times[before + 1] - times[before]);
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

    double changesFrom(double first) {
      int changes = 0;
      double previous = first;
      for (int k = from; k < to; k++) {
        if (values[k] != previous && !(Double.isNaN(values[k]) && Double.isNaN(previous))) {
          changes++;
        }
        previous = values[k];
      }
      return changes;
    }

    double resetsFrom(double first) {
      int resets = 0;
      double previous = first;
      for (int k = from; k < to; k++) {
        resets += values[k] < previous ? 1 : 0;
        previous = values[k];
      }
      return resets;
    }
  }

  /**
   * An instant selector with {@code smoothed}: the value on the line between the samples around
   * each time; after the last sample its value, before the first one nothing.
   */
  static Row smoothed(Series series, SampleColumns columns, Windows instants, long lookbackMs) {
    ExtendedRange range = new ExtendedRange("delta", RangeExtension.SMOOTHED, instants, lookbackMs);
    Samples samples = range.read(series, columns);
    Row row = new Row(series.labels(), false, instants.count());
    for (int i = 0; i < instants.count(); i++) {
      long at = instants.endMs(i);
      samples.moveTo(at, at);
      if (samples.hasBefore()) {
        row.set(i, samples.smoothedEnd(false));
      }
    }
    return row;
  }
}
