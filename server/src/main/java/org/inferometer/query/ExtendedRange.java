package org.inferometer.query;

import java.util.Locale;
import java.util.Set;
import org.inferometer.histogram.NativeHistogram;
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
  private final RangeNotes notes;

  /**
   * @throws Abort if the function has no meaning for such a range
   */
  ExtendedRange(
      String function,
      RangeExtension extension,
      Windows windows,
      long lookbackMs,
      RangeNotes notes) {
    this.notes = notes;
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
    ExtendedSamples samples = read(series, columns);
    Row row = new Row(series.labels(), false, windows.count());
    for (int i = 0; i < windows.count(); i++) {
      samples.moveTo(windows.startMs(i), windows.endMs(i));
      if (smoothed ? samples.isSpanned() : samples.hasInside()) {
        if (columns.hasHistograms()) {
          setOfAnyKind(row, i, samples);
        } else {
          row.set(i, value(samples));
        }
      }
    }
    return row;
  }

  private void setOfAnyKind(Row row, int step, ExtendedSamples samples) {
    boolean counts = function.equals("changes") || function.equals("resets");
    int histograms = samples.histograms();
    if (counts || histograms == 0) {
      row.set(step, value(samples));
    } else if (histograms < samples.involvedTo() - samples.involvedFrom()) {
      notes.mixedKinds(row.labels());
    } else {
      NativeHistogram change = new ExtendedHistograms(samples, notes, row.labels()).change(counter);
      if (change != null) {
        row.set(
            step, function.equals("rate") ? change.dividedBy(windows.rangeMs() / 1000.0) : change);
      }
    }
  }

  private ExtendedSamples read(Series series, SampleColumns columns) {
    columns.clear();
    long beyondMs = smoothed ? lookbackMs : 0;
    series.read(windows.firstMs() - lookbackMs, windows.lastMs() + beyondMs, columns);
    return new ExtendedSamples(columns, smoothed, lookbackMs);
  }

  private double value(ExtendedSamples samples) {
    if (function.equals("changes")) {
      return samples.count(SamplePairs::isChange);
    }
    if (function.equals("resets")) {
      return samples.count(SamplePairs::isReset);
    }
    double first = smoothed ? samples.smoothedStart(counter) : samples.anchor();
    double last = smoothed ? samples.smoothedEnd(counter) : samples.lastInside();
    return switch (function) {
      case "delta" -> last - first;
      case "increase" -> last - first + samples.lostInResets(first, last);
      default -> (last - first + samples.lostInResets(first, last)) / (windows.rangeMs() / 1000.0);
    };
  }

  /**
   * An instant selector with {@code smoothed}: the value on the line between the samples around
   * each time; after the last sample its value, before the first one nothing.
   */
  static Row smoothed(
      Series series, SampleColumns columns, Windows instants, long lookbackMs, RangeNotes notes) {
    ExtendedRange range =
        new ExtendedRange("delta", RangeExtension.SMOOTHED, instants, lookbackMs, notes);
    ExtendedSamples samples = range.read(series, columns);
    Row row = new Row(series.labels(), false, instants.count());
    for (int i = 0; i < instants.count(); i++) {
      long at = instants.endMs(i);
      samples.moveTo(at, at);
      if (samples.hasBefore()) {
        setSmoothed(row, i, samples, notes);
      }
    }
    return row;
  }

  private static void setSmoothed(Row row, int step, ExtendedSamples samples, RangeNotes notes) {
    if (samples.isMixedInReach()) {
      notes.mixedKinds(row.labels());
    } else if (samples.histograms() == 0) {
      row.set(step, samples.smoothedEnd(false));
    } else {
      NativeHistogram value = new ExtendedHistograms(samples, notes, row.labels()).end();
      if (value != null) {
        row.set(step, value);
      }
    }
  }
}
