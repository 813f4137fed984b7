package org.inferometer.query;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.promql.AggregateOp;
import org.inferometer.promql.Expr;
import org.inferometer.query.Value.Numbers;
import org.inferometer.query.Value.Rows;
import org.inferometer.query.Value.Words;

/** The aggregation operators: rows of one group become one row, or some of them are chosen. */
final class Aggregations {
  /** Fewest points for which a second thread pays. */
  private static final int POINTS_PER_PIECE = 50_000;

  private final Evaluation evaluation;
  private final Steps steps;

  Aggregations(Evaluation evaluation, Steps steps) {
    this.evaluation = evaluation;
    this.steps = steps;
  }

  Rows apply(Expr.Aggregate e, Rows operand, Value parameter) {
    return switch (e.op()) {
      case SUM -> withHistograms(e, operand, Accumulator.Sum::new);
      case AVG -> withHistograms(e, operand, Accumulator.Avg::new);
      case COUNT -> accumulate(e, operand, Accumulator.Count::new);
      case GROUP -> accumulate(e, operand, Accumulator.Group::new);
      case MIN -> accumulate(e, floats(e, operand), n -> new Accumulator.Extreme(n, false));
      case MAX -> accumulate(e, floats(e, operand), n -> new Accumulator.Extreme(n, true));
      case STDDEV -> accumulate(e, floats(e, operand), n -> new Accumulator.Variance(n, true));
      case STDVAR -> accumulate(e, floats(e, operand), n -> new Accumulator.Variance(n, false));
      case QUANTILE -> quantile(e, floats(e, operand), ((Numbers) parameter).values());
      case COUNT_VALUES ->
          CountValues.apply(e, operand, ((Words) parameter).text(), steps, evaluation);
      case TOPK, BOTTOMK ->
          new Choice(evaluation, steps)
              .apply(e, floats(e, operand), ((Numbers) parameter).values());
      case LIMITK, LIMIT_RATIO ->
          new Choice(evaluation, steps).apply(e, operand, ((Numbers) parameter).values());
    };
  }

  /** The operand without its histograms, which the operator ignores and says so. */
  private Rows floats(Expr.Aggregate e, Rows operand) {
    if (operand.hasHistograms()) {
      evaluation.annotations().ignoredHistogramInAggregation(e.op().keyword(), e.operand().span());
    }
    return operand.floatsOnly();
  }

  private Rows withHistograms(Expr.Aggregate e, Rows operand, Accumulator.Maker maker) {
    if (!operand.hasHistograms()) {
      return accumulate(e, operand, maker);
    }
    Rows floats = Rows.of(operand.rows().stream().map(Row::floatsOnly).toList());
    Grouping groups = grouping(e, operand);
    List<Row> results = accumulated(groups, floats, maker);
    HistogramAggregation histograms =
        new HistogramAggregation(e, evaluation.annotations(), e.op() == AggregateOp.AVG);
    for (int g = 0; g < groups.count(); g++) {
      evaluation.check();
      List<Row> members = new ArrayList<>();
      for (int r : groups.rowsByGroup().get(g)) {
        members.add(operand.rows().get(r));
      }
      histograms.add(members, results.get(g));
    }
    return Rows.of(results).withoutEmpty();
  }

  static Grouping grouping(Expr.Aggregate e, Rows operand) {
    return Grouping.of(operand.rows(), Grouping.key(e.grouping(), e.without()));
  }

  private Rows accumulate(Expr.Aggregate e, Rows operand, Accumulator.Maker maker) {
    return Rows.of(accumulated(grouping(e, operand), operand, maker));
  }

  private List<Row> accumulated(Grouping groups, Rows operand, Accumulator.Maker maker) {
    List<Row> results = resultRows(groups, operand.rows());
    int pieceMin = Math.max(1, POINTS_PER_PIECE / Math.max(1, operand.rows().size()));
    evaluation
        .pool()
        .loop(
            steps.count(),
            pieceMin,
            (from, to) -> {
              for (int g = 0; g < groups.count(); g++) {
                evaluation.check();
                Accumulator accumulator = maker.make(to - from);
                for (int r : groups.rowsByGroup().get(g)) {
                  accumulator.addRow(operand.rows().get(r), from);
                }
                accumulator.write(results.get(g), from);
              }
            });
    return results;
  }

  /** Empty rows, one for each group. A dropped name stays dropped only if all rows dropped it. */
  private List<Row> resultRows(Grouping groups, List<Row> rows) {
    List<Row> results = new ArrayList<>(groups.count());
    for (int g = 0; g < groups.count(); g++) {
      boolean dropped = true;
      for (int r : groups.rowsByGroup().get(g)) {
        dropped &= rows.get(r).nameDropped();
      }
      results.add(new Row(groups.labels().get(g), dropped, steps.count()));
    }
    return results;
  }

  private Rows quantile(Expr.Aggregate e, Rows operand, double[] quantiles) {
    warnOfQuantiles(e, quantiles);
    Grouping groups = grouping(e, operand);
    List<Row> results = resultRows(groups, operand.rows());
    evaluation
        .pool()
        .loop(
            groups.count(),
            1,
            (from, to) -> {
              for (int g = from; g < to; g++) {
                evaluation.check();
                fillQuantiles(
                    operand.rows(), groups.rowsByGroup().get(g), quantiles, results.get(g));
              }
            });
    return Rows.of(results);
  }

  private static void fillQuantiles(List<Row> rows, int[] members, double[] quantiles, Row out) {
    double[] scratch = new double[members.length];
    for (int i = 0; i < quantiles.length; i++) {
      int n = 0;
      for (int r : members) {
        Row row = rows.get(r);
        if (row.isPresent(i)) {
          scratch[n++] = row.value(i);
        }
      }
      if (n > 0) {
        out.set(i, Quantiles.of(quantiles[i], scratch, n));
      }
    }
  }

  private void warnOfQuantiles(Expr.Aggregate e, double[] quantiles) {
    Expr parameter = e.parameter();
    if (parameter != null) {
      Quantiles.worst(quantiles)
          .forEach(q -> evaluation.annotations().invalidQuantile(q, parameter.span()));
    }
  }
}
