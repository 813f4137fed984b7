package org.inferometer.query;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.promql.AggregateOp;
import org.inferometer.promql.Expr;
import org.inferometer.query.Value.Rows;

/** Aggregations that choose elements of a group and leave them as they are: topk and its kin. */
final class Choice {
  private final Evaluation evaluation;
  private final Steps steps;

  Choice(Evaluation evaluation, Steps steps) {
    this.evaluation = evaluation;
    this.steps = steps;
  }

  Rows apply(Expr.Aggregate e, Rows operand, double[] parameter) {
    return switch (e.op()) {
      case LIMIT_RATIO -> limitRatio(e, operand, parameter);
      case LIMITK -> limitk(e, operand, counts(parameter));
      default -> best(e, operand, counts(parameter));
    };
  }

  /** The parameter k as whole numbers, from 0 to what an int holds. */
  private static int[] counts(double[] parameter) {
    int[] counts = new int[parameter.length];
    for (int i = 0; i < counts.length; i++) {
      double k = parameter[i];
      if (Double.isNaN(k)) {
        throw Abort.execution("Parameter value is NaN");
      }
      if (k >= 0x1p63 || k < -0x1p63) {
        throw Abort.execution(
            "Scalar value "
                + org.inferometer.model.FloatFormat.general(k)
                + (k > 0 ? " overflows" : " underflows")
                + " int64");
      }
      counts[i] = (int) Math.max(0, Math.min(k, Integer.MAX_VALUE));
    }
    return counts;
  }

  private Rows best(Expr.Aggregate e, Rows operand, int[] counts) {
    Grouping groups = Aggregations.grouping(e, operand);
    List<Row> rows = operand.rows();
    List<Row> chosen = emptied(rows);
    List<Row> ordered = new ArrayList<>();
    for (int[] members : groups.rowsByGroup()) {
      BestRows best = new BestRows(rows, e.op() == AggregateOp.TOPK);
      for (int i = 0; i < steps.count(); i++) {
        int[] order = best.choose(members, i, counts[i]);
        for (int r : order) {
          chosen.get(r).set(i, rows.get(r).value(i));
          if (!evaluation.isRange()) {
            ordered.add(chosen.get(r));
          }
        }
      }
      evaluation.check();
    }
    return evaluation.isRange() || steps.count() > 1
        ? Rows.of(chosen).withoutEmpty()
        : new Rows(ordered, true);
  }

  private List<Row> emptied(List<Row> rows) {
    List<Row> empty = new ArrayList<>(rows.size());
    for (Row row : rows) {
      empty.add(new Row(row.labels(), row.nameDropped(), steps.count()));
    }
    return empty;
  }

  private Rows limitk(Expr.Aggregate e, Rows operand, int[] counts) {
    Grouping groups = Aggregations.grouping(e, operand);
    List<Row> rows = operand.rows();
    List<Row> chosen = emptied(rows);
    for (int[] members : groups.rowsByGroup()) {
      for (int i = 0; i < steps.count(); i++) {
        int left = counts[i];
        for (int m = 0; m < members.length && left > 0; m++) {
          Row row = rows.get(members[m]);
          if (row.isPresent(i)) {
            chosen.get(members[m]).setFrom(i, row);
            left--;
          }
        }
      }
    }
    return new Rows(chosen, operand.ordered()).withoutEmpty();
  }

  private Rows limitRatio(Expr.Aggregate e, Rows operand, double[] parameter) {
    double[] ratios = new double[parameter.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = ratio(e, parameter[i]);
    }
    return operand.map(
        row -> {
          double place = SeriesPlace.of(row.labels());
          Row chosen = new Row(row.labels(), row.nameDropped(), steps.count());
          for (int i = 0; i < ratios.length; i++) {
            if (row.isPresent(i) && isWithin(place, ratios[i])) {
              chosen.setFrom(i, row);
            }
          }
          return chosen;
        });
  }

  private double ratio(Expr.Aggregate e, double ratio) {
    if (Double.isNaN(ratio)) {
      throw Abort.execution("Ratio value is NaN");
    }
    double capped = Math.max(-1, Math.min(1, ratio));
    if (capped != ratio && e.parameter() != null) {
      evaluation.annotations().invalidRatio(ratio, capped, e.parameter().span());
    }
    return capped;
  }

  /** A negative ratio chooses what {@code 1 + ratio} leaves. */
  private static boolean isWithin(double place, double ratio) {
    return ratio >= 0 ? place < ratio : place >= 1 + ratio;
  }
}
