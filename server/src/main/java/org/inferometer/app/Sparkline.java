package org.inferometer.app;

/** A line of values as one line of text, from the lowest block to the highest. */
final class Sparkline {
  private static final String BLOCKS = "▁▂▃▄▅▆▇█";

  private Sparkline() {}

  /**
   * Draws values into so many columns at most; each column shows the mean of its share. A share
   * without values is a blank.
   *
   * @param values evenly spaced; NaN is a gap
   */
  static String of(double[] values, int columns) {
    double[] means = means(values, Math.min(columns, values.length));
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double mean : means) {
      if (Double.isFinite(mean)) {
        low = Math.min(low, mean);
        high = Math.max(high, mean);
      }
    }
    StringBuilder line = new StringBuilder(means.length);
    for (double mean : means) {
      line.append(Double.isFinite(mean) ? block(mean, low, high) : ' ');
    }
    return line.toString();
  }

  private static double[] means(double[] values, int columns) {
    double[] sums = new double[columns];
    int[] counts = new int[columns];
    for (int i = 0; i < values.length; i++) {
      if (Double.isFinite(values[i])) {
        int column = (int) ((long) i * columns / values.length);
        sums[column] += values[i];
        counts[column]++;
      }
    }
    for (int i = 0; i < columns; i++) {
      sums[i] = counts[i] == 0 ? Double.NaN : sums[i] / counts[i];
    }
    return sums;
  }

  private static char block(double value, double low, double high) {
    if (high <= low) {
      return BLOCKS.charAt(0);
    }
    int step = (int) ((value - low) / (high - low) * BLOCKS.length());
    return BLOCKS.charAt(Math.min(step, BLOCKS.length() - 1));
  }
}
