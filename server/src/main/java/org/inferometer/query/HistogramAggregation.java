package org.inferometer.query;

import java.util.List;
import org.inferometer.histogram.CompensatedSum;
import org.inferometer.histogram.IncompatibleSchemas;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.promql.Expr;

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
      CompensatedSum total = isMean ? CompensatedSum.forMean() : CompensatedSum.forSum();
      boolean addsUp = addAt(i, members, total);
      if (total.isEmpty()) {
        continue;
      }
      if (out.isPresent(i)) {
        annotations.mixedFloatsAndHistogramsInAggregation(expr.operand().span());
        out.clear(i);
      } else if (addsUp) {
        out.set(i, isMean ? total.mean() : total.sum());
      }
    }
  }

  /** Adds the histograms at a step to a total; false if they can't be added up. */
  private boolean addAt(int step, List<Row> members, CompensatedSum total) {
    for (Row row : members) {
      NativeHistogram histogram = row.histogram(step);
      if (histogram == null) {
        continue;
      }
      try {
        total.add(histogram);
      } catch (IncompatibleSchemas e) {
        annotations.mixedSchemas(row.labels().metricName(), expr.operand().span());
        return false;
      }
    }
    if (total.boundsReconciled()) {
      annotations.reconciledBounds("aggregation", expr.operand().span());
    }
    if (total.resetsContradict()) {
      annotations.contradictingResets("aggregation", expr.operand().span());
    }
    return true;
  }
}
