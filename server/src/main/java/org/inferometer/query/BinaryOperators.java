package org.inferometer.query;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.inferometer.promql.Expr.VectorMatching;
import org.inferometer.query.Value.Numbers;
import org.inferometer.query.Value.Rows;

/** Binary operators over values of any type. */
final class BinaryOperators {
  private final EngineNames names;
  private final Steps steps;
  private final Evaluation evaluation;
  private final Annotations annotations;

  BinaryOperators(EngineNames names, Steps steps, Evaluation evaluation) {
    this.names = names;
    this.steps = steps;
    this.evaluation = evaluation;
    this.annotations = evaluation.annotations();
  }

  Value apply(Expr.Binary e, Value left, Value right) {
    if (left instanceof Numbers a && right instanceof Numbers b) {
      return scalars(e.op(), a.values(), b.values());
    }
    if (left instanceof Rows rows && right instanceof Numbers b) {
      return vectorAndScalar(e, rows, b.values(), false);
    }
    if (left instanceof Numbers a && right instanceof Rows rows) {
      return vectorAndScalar(e, rows, a.values(), true);
    }
    VectorMatching matching = e.matching() == null ? VectorMatching.DEFAULT : e.matching();
    if (e.op().isSet()) {
      return new SetOperators(matching, steps, evaluation).apply(e.op(), (Rows) left, (Rows) right);
    }
    return names.merged(
        new VectorMatcher(
                e, matching, names, steps, new HistogramOperator(e, annotations), evaluation)
            .apply((Rows) left, (Rows) right));
  }

  private static Numbers scalars(BinaryOp op, double[] left, double[] right) {
    if (op.kind() == BinaryOp.Kind.TRIM) {
      throw Abort.execution(
          "operator \"%s\" not allowed for scalar operations".formatted(op.symbol()));
    }
    Arithmetic.Operation operation = Arithmetic.operation(op);
    double[] results = new double[left.length];
    for (int i = 0; i < results.length; i++) {
      results[i] = operation.of(left[i], right[i]);
    }
    return new Numbers(results);
  }

  private Rows vectorAndScalar(Expr.Binary e, Rows rows, double[] scalars, boolean scalarLeft) {
    if (e.op().kind() == BinaryOp.Kind.TRIM) {
      return rows.map(row -> trimmed(e, row, scalars, scalarLeft));
    }
    if (rows.hasHistograms()) {
      Rows results = rows.map(row -> withHistograms(e, row, scalars, scalarLeft));
      return e.op().isComparison() && !e.returnBool() ? results : names.dropped(results);
    }
    if (e.op().isComparison() && !e.returnBool()) {
      Arithmetic.Comparison comparison = Arithmetic.comparison(e.op());
      return rows.map(row -> filtered(row, scalars, scalarLeft, comparison));
    }
    Arithmetic.Operation operation = Arithmetic.operation(e.op());
    return names.dropped(rows.map(row -> computed(row, scalars, scalarLeft, operation)));
  }

  private Row withHistograms(Expr.Binary e, Row row, double[] scalars, boolean scalarLeft) {
    Row floats = row.floatsOnly();
    Row result =
        e.op().isComparison() && !e.returnBool()
            ? filtered(floats, scalars, scalarLeft, Arithmetic.comparison(e.op()))
            : computed(floats, scalars, scalarLeft, Arithmetic.operation(e.op()));
    applyToHistograms(e, row, scalars, scalarLeft, result);
    return result;
  }

  private void applyToHistograms(
      Expr.Binary e, Row row, double[] scalars, boolean scalarLeft, Row result) {
    HistogramOperator operator = new HistogramOperator(e, annotations);
    for (int i = 0; i < scalars.length; i++) {
      NativeHistogram histogram = row.histogram(i);
      if (histogram != null && scalarLeft) {
        operator.apply(i, scalars[i], null, Double.NaN, histogram, result);
      } else if (histogram != null) {
        operator.apply(i, Double.NaN, histogram, scalars[i], null, result);
      }
    }
  }

  /** Histograms with a part cut off; there is no such thing for floats. */
  private Row trimmed(Expr.Binary e, Row row, double[] scalars, boolean scalarLeft) {
    Row result = new Row(row.labels(), row.nameDropped(), row.steps());
    applyToHistograms(e, row, scalars, scalarLeft, result);
    if (row.hasFloats()) {
      annotations.incompatibleTypes("float", e.op().symbol(), "float", e.span());
    }
    return result;
  }

  /** The elements for which the comparison holds, as they are. */
  private static Row filtered(
      Row row, double[] scalars, boolean scalarLeft, Arithmetic.Comparison comparison) {
    Row kept = new Row(row.labels(), row.nameDropped(), row.steps());
    for (int i = 0; i < scalars.length; i++) {
      if (row.isPresent(i)) {
        double value = row.value(i);
        boolean holds =
            scalarLeft ? comparison.of(scalars[i], value) : comparison.of(value, scalars[i]);
        if (holds) {
          kept.set(i, value);
        }
      }
    }
    return kept;
  }

  private static Row computed(
      Row row, double[] scalars, boolean scalarLeft, Arithmetic.Operation operation) {
    Row result = new Row(row.labels(), row.nameDropped(), row.steps());
    for (int i = 0; i < scalars.length; i++) {
      if (row.isPresent(i)) {
        double value = row.value(i);
        result.set(
            i, scalarLeft ? operation.of(scalars[i], value) : operation.of(value, scalars[i]));
      }
    }
    return result;
  }
}
