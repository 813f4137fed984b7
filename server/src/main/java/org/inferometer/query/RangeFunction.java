package org.inferometer.query;

import org.inferometer.histogram.NativeHistogram;
import org.jspecify.annotations.Nullable;

/** Makes the points of one series out of the samples in its windows. Thread-safe. */
@FunctionalInterface
interface RangeFunction {
  void fill(WindowedSeries in, Row out);

  /** A value out of the samples {@code from <= i < to}, at least one, of a window. */
  @FunctionalInterface
  interface WindowValue {
    double of(WindowedSeries in, int step, int from, int to);
  }

  /**
   * The same where all samples are histograms and the result is one; null for nothing.
   *
   * <p>Thread-safe.
   */
  @FunctionalInterface
  interface WindowHistogram {
    @Nullable NativeHistogram of(WindowedSeries in, int step, int from, int to);
  }

  /** A function with a point for each window that has as many samples or more. */
  static RangeFunction perWindow(int samplesMin, WindowValue value) {
    return (in, out) -> {
      for (int i = 0; i < in.steps(); i++) {
        int from = in.from(i);
        int to = in.to(i);
        if (to - from >= samplesMin) {
          out.set(i, value.of(in, i, from, to));
        }
      }
    };
  }

  /** A function that leaves histograms out, and says so where there are floats as well. */
  static RangeFunction ofFloats(RangeFunction function, RangeNotes notes) {
    return (in, out) -> {
      if (!in.hasHistograms()) {
        function.fill(in, out);
        return;
      }
      function.fill(in.floats(), out);
      for (int i = 0; i < in.steps(); i++) {
        int histograms = in.histograms(i);
        if (histograms > 0 && histograms < in.to(i) - in.from(i)) {
          notes.ignoredHistograms(in.labels());
        }
      }
    };
  }

  /** A function that takes either kind, but not both in one window: then there is no point. */
  static RangeFunction ofEither(
      RangeFunction ofFloats, WindowHistogram ofHistograms, RangeNotes notes) {
    return (in, out) -> {
      if (!in.hasHistograms()) {
        ofFloats.fill(in, out);
        return;
      }
      ofFloats.fill(in.unmixedFloats(), out);
      for (int i = 0; i < in.steps(); i++) {
        fillFromHistograms(in, i, ofHistograms, notes, out);
      }
    };
  }

  private static void fillFromHistograms(
      WindowedSeries in, int step, WindowHistogram function, RangeNotes notes, Row out) {
    int histograms = in.histograms(step);
    if (histograms == 0) {
      return;
    }
    if (histograms < in.to(step) - in.from(step)) {
      notes.mixedKinds(in.labels());
      return;
    }
    NativeHistogram result = function.of(in, step, in.from(step), in.to(step));
    if (result != null) {
      out.set(step, result);
    }
  }

  /** A function that gives one of the samples. */
  static RangeFunction oneSample(WindowSample sample) {
    return (in, out) -> {
      for (int i = 0; i < in.steps(); i++) {
        if (in.from(i) < in.to(i)) {
          int index = sample.of(in.from(i), in.to(i));
          NativeHistogram histogram = in.histogram(index);
          if (histogram == null) {
            out.set(i, in.values()[index]);
          } else {
            out.set(i, histogram);
          }
        }
      }
    };
  }

  /** The index of a sample among {@code from <= i < to}. */
  @FunctionalInterface
  interface WindowSample {
    int of(int from, int to);
  }
}
