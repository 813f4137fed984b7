package org.inferometer.diagnosis.world;

import java.util.Arrays;

/**
 * Values along ascending times, one a time, NaN for a gap. The arrays are only read.
 *
 * @param timesMs whose steps may differ
 */
@SuppressWarnings("ArrayRecordComponent") // columns that are read and never compared
record Line(long[] timesMs, double[] values) {
  static final Line EMPTY = new Line(new long[0], new double[0]);

  /** How many times a median deviation goes into a standard deviation of a normal law. */
  static final double MAD_TO_SIGMA = 1.4826;

  /** Where it has values. */
  Line known() {
    int n = 0;
    long[] times = new long[values.length];
    double[] known = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        times[n] = timesMs[i];
        known[n++] = values[i];
      }
    }
    return new Line(Arrays.copyOf(times, n), Arrays.copyOf(known, n));
  }

  Line within(Period period) {
    int from = firstAfter(period.startMs());
    int to = firstAfter(period.endMs());
    return new Line(Arrays.copyOfRange(timesMs, from, to), Arrays.copyOfRange(values, from, to));
  }

  private int firstAfter(long timeMs) {
    int place = Arrays.binarySearch(timesMs, timeMs);
    return place >= 0 ? place + 1 : -place - 1;
  }

  int size() {
    return values.length;
  }

  /** NaN if there are no values. */
  double mean() {
    double sum = 0;
    int count = 0;
    for (double value : values) {
      if (!Double.isNaN(value)) {
        sum += value;
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  double max() {
    double max = Double.NaN;
    for (double value : values) {
      max = Double.isNaN(max) || value > max ? value : max;
    }
    return max;
  }

  double min() {
    double min = Double.NaN;
    for (double value : values) {
      min = Double.isNaN(min) || value < min ? value : min;
    }
    return min;
  }

  double median() {
    return median(values);
  }

  /** The usual distance from the median, as a standard deviation; NaN without values. */
  double spread() {
    double median = median();
    double[] distances = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      distances[i] = Math.abs(values[i] - median);
    }
    return MAD_TO_SIGMA * median(distances);
  }

  /** The middle of the values that aren't NaN; NaN if there are none. */
  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted); // NaNs come last
    int n = sorted.length;
    while (n > 0 && Double.isNaN(sorted[n - 1])) {
      n--;
    }
    if (n == 0) {
      return Double.NaN;
    }
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  }
}
