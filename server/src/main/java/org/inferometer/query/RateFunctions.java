package org.inferometer.query;

import static org.inferometer.query.RangeFunction.ofEither;
import static org.inferometer.query.RangeFunction.perWindow;

import org.inferometer.histogram.NativeHistogram;

/** Functions of how a value changes over a window: rate, increase, delta and their kin. */
final class RateFunctions {
  private RateFunctions() {}

  static RangeFunction rate(RangeNotes notes) {
    return ofEither(
        (in, out) -> increase(in, out, true, notes), new HistogramRates(notes).rate(), notes);
  }

  static RangeFunction increase(RangeNotes notes) {
    return ofEither(
        (in, out) -> increase(in, out, false, notes), new HistogramRates(notes).increase(), notes);
  }

  static RangeFunction delta(RangeNotes notes) {
    return ofEither(RateFunctions::delta, new HistogramRates(notes).delta(), notes);
  }

  private static void delta(WindowedSeries in, Row out) {
    double[] values = in.values();
    for (int i = 0; i < in.steps(); i++) {
      int first = in.from(i);
      int last = in.to(i) - 1;
      if (last > first) {
        out.set(i, (values[last] - values[first]) * Extrapolation.ofGauge(in, i));
      }
    }
  }

  private static void increase(WindowedSeries in, Row out, boolean perSecond, RangeNotes notes) {
    double[] values = in.values();
    int[] resets = in.resets();
    double per = perSecond ? in.windows().rangeMs() / 1000.0 : 1;
    for (int i = 0; i < in.steps(); i++) {
      int first = in.from(i);
      int last = in.to(i) - 1;
      if (last <= first) {
        continue;
      }
      if (in.hasOverlap(i)) {
        notes.overlappingStart(in.labels());
      }
      double change = in.startInWindowMs(i) == 0 ? values[last] - values[first] : values[last];
      if (resets[last] != resets[first]) {
        change = withResets(values, resets, first, last, change);
      }
      out.set(i, change * Extrapolation.ofCounter(in, i, values[first], change) / per);
    }
  }

  /** Adds the value before each reset, in the order of the samples. */
  private static double withResets(
      double[] values, int[] resets, int first, int last, double change) {
    double total = change;
    for (int k = first + 1; k <= last; k++) {
      if (resets[k] != resets[k - 1]) {
        total += values[k - 1];
      }
    }
    return total;
  }

  /** The rate between the last two samples. */
  static RangeFunction irate(RangeNotes notes) {
    return lastTwo(true, notes);
  }

  /** The difference of the last two samples. */
  static RangeFunction idelta(RangeNotes notes) {
    return lastTwo(false, notes);
  }

  private static RangeFunction lastTwo(boolean counter, RangeNotes notes) {
    HistogramRates histograms = new HistogramRates(notes);
    return (in, out) -> {
      for (int i = 0; i < in.steps(); i++) {
        int last = in.to(i) - 1;
        if (last > in.from(i)) {
          if (in.hasHistograms()) {
            lastTwoOfAnyKind(in, i, last, counter, histograms, out);
          } else {
            lastTwoFloats(in, i, last, counter, out);
          }
        }
      }
    };
  }

  private static void lastTwoFloats(
      WindowedSeries in, int step, int last, boolean counter, Row out) {
    double now = in.values()[last];
    double before = in.values()[last - 1];
    boolean reset = counter && (now < before || in.isRestart(last));
    double change = reset ? now : now - before;
    out.set(step, counter ? change / secondsBefore(in, last) : change);
  }

  private static double secondsBefore(WindowedSeries in, int index) {
    return (in.timesMs()[index] - in.timesMs()[index - 1]) / 1000.0;
  }

  private static void lastTwoOfAnyKind(
      WindowedSeries in, int step, int last, boolean counter, HistogramRates histograms, Row out) {
    boolean isFloat = in.histogram(last) == null;
    if (isFloat != (in.histogram(last - 1) == null)) {
      histograms.notes().mixedKinds(in.labels());
    } else if (isFloat) {
      lastTwoFloats(in, step, last, counter, out);
    } else {
      NativeHistogram change = histograms.instantaneous(in, last, counter);
      if (change != null) {
        out.set(step, counter ? change.dividedBy(secondsBefore(in, last)) : change);
      }
    }
  }

  static RangeFunction resets() {
    return perWindow(1, (in, step, from, to) -> in.resets()[to - 1] - in.resets()[from]);
  }

  static RangeFunction changes() {
    return (in, out) -> {
      if (in.hasHistograms()) {
        CHANGES_OF_ANY_KIND.fill(in, out);
      } else {
        CHANGES_OF_FLOATS.fill(in, out);
      }
    };
  }

  private static final RangeFunction CHANGES_OF_FLOATS =
      perWindow(
          1,
          (in, step, from, to) -> {
            double[] values = in.values();
            int changes = 0;
            for (int k = from + 1; k < to; k++) {
              changes += SamplePairs.isChange(values[k - 1], values[k]) ? 1 : 0;
            }
            return changes;
          });

  private static final RangeFunction CHANGES_OF_ANY_KIND =
      perWindow(
          1,
          (in, step, from, to) -> {
            int changes = 0;
            for (int k = from + 1; k < to; k++) {
              changes += in.isChange(k) ? 1 : 0;
            }
            return changes;
          });
}
