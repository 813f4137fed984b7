package org.inferometer.promql;

import org.inferometer.promql.Expr.TimeShift;
import org.jspecify.annotations.Nullable;

/** Reads and replaces what moves a selector or subquery in time. */
final class Shifts {
  private Shifts() {}

  /** Null if the expression can't be moved. */
  static @Nullable TimeShift of(Expr expr) {
    return switch (expr) {
      case Expr.VectorSelector vector -> vector.shift();
      case Expr.MatrixSelector matrix -> matrix.selector().shift();
      case Expr.Subquery subquery -> subquery.shift();
      case Expr other -> null;
    };
  }

  /** The expression moved, and longer by the modifier that ends at {@code last}. */
  static Expr with(Expr expr, TimeShift shift, Span last) {
    Span span = expr.span().to(last);
    return switch (expr) {
      case Expr.VectorSelector vector -> with(vector, shift, span);
      case Expr.MatrixSelector matrix ->
          new Expr.MatrixSelector(
              with(matrix.selector(), shift, matrix.selector().span()), matrix.range(), span);
      case Expr.Subquery subquery ->
          new Expr.Subquery(subquery.inner(), subquery.range(), subquery.step(), shift, span);
      case Expr other -> throw new IllegalArgumentException("expected a selector, got " + other);
    };
  }

  private static Expr.VectorSelector with(Expr.VectorSelector vector, TimeShift shift, Span span) {
    return new Expr.VectorSelector(
        vector.metricName(), vector.matchers(), shift, vector.extension(), span);
  }
}
