package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A line cut where its level changes.
 *
 * <p>The best cut is that whose segments have the least squared distance from their means plus a
 * penalty for each segment (optimal partitioning; Jackson et al., "An algorithm for optimal
 * partitioning of data on an interval", 2005). Values are first compressed by the inverse
 * hyperbolic sine, which is a logarithm far above a scale and a straight line below it, so that a
 * doubling weighs the same wherever it happens and noise near zero weighs nothing. Single outliers
 * are taken away by a median of three, and neighbours whose levels are about the same are joined
 * again.
 */
final class Segments {
  /** Fewer values than this are no level. */
  private static final int LENGTH_MIN = 3;

  /** Values over this many are thinned out: the work grows with their square. */
  private static final int VALUES_MAX = 400;

  /** Rates over overlapping stretches move together, so that noise looks like levels. */
  private static final double PENALTY = 12;

  /** Values this far apart, in steps, share no samples with a rate window of four scrapes. */
  private static final int LAG = 4;

  /** Levels aren't told apart more finely than this, compressed: about 5 %. */
  private static final double SIGMA_MIN = 0.05;

  private Segments() {}

  /**
   * A stretch in which a line keeps a level.
   *
   * @param startMs its first value's time
   * @param endMs its last value's time
   * @param level the median
   * @param spread of the values around it, as a standard deviation
   */
  record Segment(long startMs, long endMs, double level, double spread) {
    long lengthMs() {
      return endMs - startMs;
    }
  }

  /**
   * The segments in order of time; none without values.
   *
   * @param scale below it changes are small, in the line's unit
   * @param ratio levels that differ by less than this factor are one
   */
  static List<Segment> of(Line line, double scale, double ratio) {
    Line known = thinned(line.known());
    int n = known.size();
    if (n == 0) {
      return List.of();
    }
    double[] y = new double[n];
    double[] calm = calmed(known.values());
    for (int i = 0; i < n; i++) {
      y[i] = compressed(calm[i], scale);
    }
    double sigma = Math.max(SIGMA_MIN, noise(y));
    int[] starts = joined(y, cut(y, PENALTY * sigma * sigma * Math.log(n + 1)), ratio, sigma);
    List<Segment> segments = new ArrayList<>();
    for (int i = 0; i < starts.length; i++) {
      int end = i + 1 < starts.length ? starts[i + 1] : n;
      Line part =
          new Line(
              Arrays.copyOfRange(known.timesMs(), starts[i], end),
              Arrays.copyOfRange(known.values(), starts[i], end));
      segments.add(
          new Segment(
              known.timesMs()[starts[i]], known.timesMs()[end - 1], part.median(), part.spread()));
    }
    return segments;
  }

  private static Line thinned(Line line) {
    int every = (line.size() + VALUES_MAX - 1) / VALUES_MAX;
    if (every <= 1) {
      return line;
    }
    int n = line.size() / every;
    long[] times = new long[n];
    double[] values = new double[n];
    for (int i = 0; i < n; i++) {
      int from = line.size() - (n - i) * every;
      times[i] = line.timesMs()[from + every - 1];
      values[i] = Line.median(Arrays.copyOfRange(line.values(), from, from + every));
    }
    return new Line(times, values);
  }

  /** A logarithm of base e far above the scale, a straight line below it. */
  static double compressed(double value, double scale) {
    double x = value / (2 * scale);
    return Math.signum(x) * Math.log(Math.abs(x) + Math.sqrt(x * x + 1));
  }

  private static double[] calmed(double[] values) {
    double[] calm = values.clone();
    for (int i = 1; i + 1 < values.length; i++) {
      double a = values[i - 1];
      double b = values[i];
      double c = values[i + 1];
      calm[i] = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    }
    return calm;
  }

  /** From differences, so that changes of level don't count as noise. */
  private static double noise(double[] y) {
    if (y.length <= LAG) {
      return 0;
    }
    double[] differences = new double[y.length - LAG];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = Math.abs(y[i + LAG] - y[i]);
    }
    return Line.MAD_TO_SIGMA * Line.median(differences) / Math.sqrt(2);
  }

  /** Where the segments of least cost begin. */
  private static int[] cut(double[] y, double penalty) {
    int n = y.length;
    double[] sums = new double[n + 1];
    double[] squares = new double[n + 1];
    for (int i = 0; i < n; i++) {
      sums[i + 1] = sums[i] + y[i];
      squares[i + 1] = squares[i] + y[i] * y[i];
    }
    double[] best = new double[n + 1];
    int[] from = new int[n + 1];
    for (int end = 1; end <= n; end++) {
      best[end] = Double.POSITIVE_INFINITY;
      for (int start = 0; start == 0 || start <= end - LENGTH_MIN; start++) {
        if (start > 0 && start < LENGTH_MIN) {
          continue;
        }
        double sum = sums[end] - sums[start];
        double distance = squares[end] - squares[start] - sum * sum / (end - start);
        double cost = best[start] + distance + penalty;
        if (cost < best[end]) {
          best[end] = cost;
          from[end] = start;
        }
      }
    }
    return starts(from, n);
  }

  private static int[] starts(int[] from, int n) {
    List<Integer> starts = new ArrayList<>();
    for (int end = n; end > 0; end = from[end]) {
      starts.addFirst(from[end]);
    }
    return starts.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Joins the neighbours that are nearest until all differ enough. */
  private static int[] joined(double[] y, int[] starts, double ratio, double sigma) {
    double apart = Math.max(Math.log(ratio), sigma);
    List<Integer> left = new ArrayList<>();
    Arrays.stream(starts).forEach(left::add);
    while (left.size() > 1) {
      int nearest = -1;
      double least = apart;
      for (int i = 1; i < left.size(); i++) {
        double difference = Math.abs(level(y, left, i) - level(y, left, i - 1));
        if (difference < least) {
          least = difference;
          nearest = i;
        }
      }
      if (nearest < 0) {
        break;
      }
      left.remove(/* index */ nearest);
    }
    return left.stream().mapToInt(Integer::intValue).toArray();
  }

  private static double level(double[] y, List<Integer> starts, int i) {
    int end = i + 1 < starts.size() ? starts.get(i + 1) : y.length;
    return Line.median(Arrays.copyOfRange(y, starts.get(i), end));
  }
}
