package org.inferometer.query;

/** Makes the points of one series out of the samples in its windows. Thread-safe. */
@FunctionalInterface
interface RangeFunction {
  void fill(WindowedSeries in, Row out);

  /** A value out of the samples {@code from <= i < to}, at least one, of a window. */
  @FunctionalInterface
  interface WindowValue {
    double of(WindowedSeries in, int step, int from, int to);
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
}
