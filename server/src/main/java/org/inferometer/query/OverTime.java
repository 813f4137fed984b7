package org.inferometer.query;

import static org.inferometer.query.RangeFunction.perWindow;

import org.inferometer.histogram.CompensatedSum;
import org.inferometer.histogram.IncompatibleSchemas;
import org.inferometer.model.KahanSum;

/** The {@code *_over_time} functions: what the samples of a window come to, ignoring when. */
final class OverTime {
  private OverTime() {}

  static RangeFunction count() {
    return perWindow(1, (in, step, from, to) -> to - from);
  }

  static RangeFunction present() {
    return perWindow(1, (in, step, from, to) -> 1);
  }

  static RangeFunction last() {
    return RangeFunction.oneSample((from, to) -> to - 1);
  }

  static RangeFunction first() {
    return RangeFunction.oneSample((from, to) -> from);
  }

  static RangeFunction lastTime() {
    return perWindow(1, (in, step, from, to) -> in.timesMs()[to - 1] / 1000.0);
  }

  static RangeFunction firstTime() {
    return perWindow(1, (in, step, from, to) -> in.timesMs()[from] / 1000.0);
  }

  static RangeFunction sum(RangeNotes notes) {
    return RangeFunction.ofEither(
        OverTime::sum,
        (in, step, from, to) -> {
          CompensatedSum sum = CompensatedSum.forSum();
          return isAdded(in, from, to, sum, notes) ? sum.sum() : null;
        },
        notes);
  }

  private static void sum(WindowedSeries in, Row out) {
    double[] prefixes = ExactSums.prefixes(in.values(), in.size());
    if (prefixes != null) {
      perWindow(1, (w, step, from, to) -> prefixes[to] - prefixes[from]).fill(in, out);
    } else {
      compensatedSums(in, out);
    }
  }

  /** Adds up histograms; false if that has no meaning. */
  private static boolean isAdded(
      WindowedSeries in, int from, int to, CompensatedSum sum, RangeNotes notes) {
    try {
      for (int k = from; k < to; k++) {
        sum.add(in.requireHistogram(k));
      }
    } catch (IncompatibleSchemas e) {
      notes.mixedSchemas(in.labels());
      return false;
    }
    if (sum.resetsContradict()) {
      notes.contradictingResets();
    }
    if (sum.boundsReconciled()) {
      notes.reconciledBounds();
    }
    return true;
  }

  private static void compensatedSums(WindowedSeries in, Row out) {
    KahanSum sum = new KahanSum();
    double[] values = in.values();
    for (int i = 0; i < in.steps(); i++) {
      int to = in.to(i);
      if (in.from(i) < to) {
        sum.set(0);
        for (int k = in.from(i); k < to; k++) {
          sum.add(values[k]);
        }
        out.set(i, sum.value());
      }
    }
  }

  static RangeFunction avg(RangeNotes notes) {
    return RangeFunction.ofEither(
        OverTime::avg,
        (in, step, from, to) -> {
          CompensatedSum sum = CompensatedSum.forMean();
          return isAdded(in, from, to, sum, notes) ? sum.mean() : null;
        },
        notes);
  }

  private static void avg(WindowedSeries in, Row out) {
    double[] prefixes = ExactSums.prefixes(in.values(), in.size());
    if (prefixes != null) {
      perWindow(1, (w, step, from, to) -> (prefixes[to] - prefixes[from]) / (to - from))
          .fill(in, out);
    } else {
      compensatedMeans(in, out);
    }
  }

  private static void compensatedMeans(WindowedSeries in, Row out) {
    KahanMean mean = new KahanMean();
    double[] values = in.values();
    for (int i = 0; i < in.steps(); i++) {
      int to = in.to(i);
      if (in.from(i) < to) {
        mean.clear();
        for (int k = in.from(i); k < to; k++) {
          mean.add(values[k]);
        }
        out.set(i, mean.value());
      }
    }
  }

  static RangeFunction min() {
    return (in, out) -> extreme(in, out, false, false);
  }

  static RangeFunction max() {
    return (in, out) -> extreme(in, out, true, false);
  }

  /** When the last of the smallest samples was taken. */
  static RangeFunction minTime() {
    return (in, out) -> extreme(in, out, false, true);
  }

  static RangeFunction maxTime() {
    return (in, out) -> extreme(in, out, true, true);
  }

  /**
   * The extreme of each window, or its time, by a queue of the samples that can still become one:
   * every sample enters and leaves it once. NaN counts only if there is nothing else.
   */
  private static void extreme(WindowedSeries in, Row out, boolean largest, boolean time) {
    double[] values = in.values();
    int[] queue = new int[in.size()];
    int head = 0;
    int tail = 0;
    int next = 0;
    for (int i = 0; i < in.steps(); i++) {
      int from = in.from(i);
      int to = in.to(i);
      next = Math.max(next, from);
      for (; next < to; next++) {
        double value = values[next];
        while (tail > head && givesWay(values[queue[tail - 1]], value, largest)) {
          tail--;
        }
        queue[tail++] = next;
      }
      while (head < tail && queue[head] < from) {
        head++;
      }
      if (from < to) {
        int found = queue[head];
        out.set(i, time ? in.timesMs()[found] / 1000.0 : values[found]);
      }
    }
  }

  /** Whether a sample can't be the extreme any more once a later one is there. */
  private static boolean givesWay(double earlier, double later, boolean largest) {
    if (Double.isNaN(earlier) || Double.isNaN(later)) {
      return Double.isNaN(earlier);
    }
    return largest ? later >= earlier : later <= earlier;
  }

  static RangeFunction stddev() {
    return perWindow(1, (in, step, from, to) -> Math.sqrt(variance(in.values(), from, to)));
  }

  static RangeFunction stdvar() {
    return perWindow(1, (in, step, from, to) -> variance(in.values(), from, to));
  }

  /** Welford's method with compensated sums. */
  private static double variance(double[] values, int from, int to) {
    KahanSum mean = new KahanSum();
    KahanSum squares = new KahanSum();
    for (int k = from; k < to; k++) {
      double delta = values[k] - mean.value();
      mean.add(delta / (k - from + 1));
      squares.add(delta * (values[k] - mean.value()));
    }
    return squares.value() / (to - from);
  }

  /**
   * @param quantile at each step
   */
  static RangeFunction quantile(double[] quantile) {
    return (in, out) -> {
      double[] scratch = new double[in.size()];
      for (int i = 0; i < in.steps(); i++) {
        int from = in.from(i);
        int n = in.to(i) - from;
        if (n > 0) {
          System.arraycopy(in.values(), from, scratch, 0, n);
          out.set(i, Quantiles.of(quantile[i], scratch, n));
        }
      }
    };
  }

  /** The median of the distances from the median; NaN if any sample is. */
  static RangeFunction mad() {
    return (in, out) -> {
      double[] scratch = new double[in.size()];
      for (int i = 0; i < in.steps(); i++) {
        int from = in.from(i);
        int n = in.to(i) - from;
        if (n > 0) {
          System.arraycopy(in.values(), from, scratch, 0, n);
          out.set(i, medianDistance(scratch, n));
        }
      }
    };
  }

  private static double medianDistance(double[] values, int n) {
    double median = Quantiles.of(0.5, values, n);
    // NaN is sorted to the front.
    if (Double.isNaN(values[0])) {
      return Double.NaN;
    }
    for (int k = 0; k < n; k++) {
      values[k] = Math.abs(values[k] - median);
    }
    return Quantiles.of(0.5, values, n);
  }
}
