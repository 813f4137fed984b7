package org.inferometer.query;

import java.util.List;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.IncompatibleSchemas;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.promql.Expr;
import org.jspecify.annotations.Nullable;

/**
 * Sums or means of the native histograms of a group, written beside what its floats came to. Floats
 * and histograms don't mix, nor do exponential and custom buckets: then there is no element, and a
 * warning.
 */
final class HistogramAggregation {
  private final Expr.Aggregate expr;
  private final Annotations annotations;
  private final boolean isMean;

  HistogramAggregation(Expr.Aggregate expr, Annotations annotations, boolean isMean) {
    this.expr = expr;
    this.annotations = annotations;
    this.isMean = isMean;
  }

  /**
   * @param members the rows of one group
   * @param out holds the aggregates of their floats
   */
  void add(List<Row> members, Row out) {
    if (members.stream().noneMatch(Row::hasHistograms)) {
      return;
    }
    for (int i = 0; i < out.steps(); i++) {
      NativeHistogram result = at(i, members);
      if (result == null) {
        continue;
      }
      if (out.isPresent(i)) {
        annotations.mixedFloatsAndHistogramsInAggregation(expr.operand().span());
        out.clear(i);
      } else if (result != UNDEFINED) {
        out.set(i, result);
      }
    }
  }

  /** Stands for histograms that can't be added up. */
  private static final NativeHistogram UNDEFINED =
      NativeHistogram.exponential(0, Double.NaN, Double.NaN, 0, 0, Buckets.NONE, Buckets.NONE);

  private @Nullable NativeHistogram at(int step, List<Row> members) {
    HistogramTotal total = new HistogramTotal();
    boolean reset = false;
    boolean notReset = false;
    for (Row row : members) {
      NativeHistogram histogram = row.histogram(step);
      if (histogram == null) {
        continue;
      }
      reset |= histogram.resetHint() == ResetHint.RESET;
      notReset |= histogram.resetHint() == ResetHint.NOT_RESET;
      try {
        if (total.add(histogram)) {
          annotations.reconciledBounds("aggregation", expr.operand().span());
        }
      } catch (IncompatibleSchemas e) {
        annotations.mixedSchemas(row.labels().metricName(), expr.operand().span());
        return UNDEFINED;
      }
    }
    if (reset && notReset) {
      annotations.contradictingResets("aggregation", expr.operand().span());
    }
    return total.isEmpty() ? null : isMean ? total.mean() : total.sum();
  }
}
