package org.inferometer.check;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.model.Labels;

/**
 * The buckets of a classic histogram with what was counted in them, over all of its series.
 *
 * @param edges finite ones, ascending
 * @param counts cumulative, up to each of them
 * @param total what was counted; NaN without a bucket up to infinity
 */
record Edges(List<Double> edges, List<Double> counts, double total) {
  /** Edges as far from a goal as these, as multiples of it, tell how badly it is missed. */
  private static final double[] AROUND = {0.5, 1, 1.15, 2, 3};

  /** Away from a goal edges needn't be closer than this, as each costs a series. */
  private static final double APART = 2;

  private static final MathContext DIGITS = new MathContext(3);

  Edges {
    edges = List.copyOf(edges);
    counts = List.copyOf(counts);
  }

  /**
   * The buckets of a metric on a page.
   *
   * @param scale what an edge is multiplied with
   */
  static Edges of(ParsedPage page, String metric, double scale) {
    TreeMap<Double, Double> counts = new TreeMap<>();
    for (Labels labels : page.of(metric)) {
      double edge = edge(labels.get("le"));
      Double count = page.values.get(labels);
      if (!Double.isNaN(edge) && count != null) {
        counts.merge(edge * scale, count, Double::sum);
      }
    }
    Double all = counts.remove(Double.POSITIVE_INFINITY);
    return new Edges(
        List.copyOf(counts.keySet()), List.copyOf(counts.values()), all == null ? Double.NaN : all);
  }

  /** Where a bucket ends; NaN if that is no number. */
  static double edge(String le) {
    try {
      return le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  boolean isCut() {
    return Double.isNaN(total);
  }

  /** The greatest edge below a value; 0 below the first one. */
  double below(double value) {
    double low = 0;
    for (double edge : edges) {
      low = edge < value ? edge : low;
    }
    return low;
  }

  /** The least edge that isn't below a value; infinite beyond the last. */
  double above(double value) {
    return edges.stream()
        .filter(edge -> edge >= value)
        .findFirst()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * A quantile of all that was ever counted, as PromQL would take it; the last finite edge if it
   * lies beyond that, NaN if nothing was counted.
   */
  double quantile(double quantile) {
    if (edges.isEmpty() || !(total > 0)) {
      return Double.NaN;
    }
    double rank = quantile * total;
    double low = 0;
    double before = 0;
    for (int i = 0; i < edges.size(); i++) {
      double count = Math.max(before, counts.get(i));
      if (count >= rank) {
        double share = count > before ? (rank - before) / (count - before) : 1;
        return low + (edges.get(i) - low) * share;
      }
      before = count;
      low = edges.get(i);
    }
    return edges.getLast();
  }

  /** The share of all that was ever counted beyond the last finite edge. */
  double shareBeyond() {
    return edges.isEmpty() || !(total > 0) ? 0 : 1 - Math.min(total, counts.getLast()) / total;
  }

  /**
   * Edges that tell a quantile near a goal well, and far from it no worse than needed: some around
   * it, of these here a few below and above, and the last one.
   */
  List<Double> proposed(double goal) {
    TreeSet<Double> wanted = new TreeSet<>();
    for (double multiple : AROUND) {
      wanted.add(rounded(goal * multiple));
    }
    double least = wanted.first();
    for (int i = edges.size() - 1; i >= 0; i--) {
      double edge = edges.get(i);
      if (edge > 0 && edge * APART <= least) {
        wanted.add(edge);
        least = edge;
      }
    }
    double most = wanted.last();
    for (double edge : edges) {
      if (edge >= most * APART || (edge > most && edge == edges.getLast())) {
        wanted.add(edge);
        most = edge;
      }
    }
    return List.copyOf(wanted);
  }

  private static double rounded(double value) {
    return new BigDecimal(value).round(DIGITS).doubleValue();
  }
}
