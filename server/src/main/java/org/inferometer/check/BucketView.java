package org.inferometer.check;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How well the buckets of a histogram tell a quantile at a goal, or where it is now.
 *
 * @param signal such as {@code ttft_p95}
 * @param metric whose buckets they are
 * @param edges all finite ones, ascending, in the signal's unit
 * @param goal null without one
 * @param value where the quantile is now, or over the life of the process; NaN if nothing was
 *     observed
 * @param low the edge below the goal or else the value, NaN if there is none
 * @param high the edge above, infinite beyond the last, NaN if there is none
 * @param error how far off a quantile there can be, as a ratio; NaN if it has no bound
 * @param says one sentence
 * @param fix what to set for better edges, or null
 * @param since the first release that has the option, null if unknown
 */
public record BucketView(
    String signal,
    String metric,
    List<Double> edges,
    @Nullable Double goal,
    double value,
    double low,
    double high,
    double error,
    Verdict verdict,
    String says,
    @Nullable String fix,
    @Nullable String since) {
  public BucketView {
    edges = List.copyOf(edges);
  }

  /** How the edges do. */
  public enum Verdict {
    OK,
    /** Edges far apart. */
    WIDE,
    /** Below the first edge. */
    FIRST,
    /** Above the last finite edge. */
    BEYOND,
    /** No bucket up to infinity. */
    CUT,
    /** Nothing observed yet, and no goal. */
    EMPTY;

    /** As JSON has it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
