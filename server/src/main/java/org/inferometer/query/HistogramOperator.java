package org.inferometer.query;

import org.inferometer.histogram.HistogramSum;
import org.inferometer.histogram.IncompatibleSchemas;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.jspecify.annotations.Nullable;

/**
 * A binary operator on two elements of which at least one is, or should be, a native histogram.
 * What isn't defined gives no element and something to say.
 */
final class HistogramOperator {
  private final Expr.Binary expr;
  private final BinaryOp op;
  private final Annotations annotations;

  HistogramOperator(Expr.Binary expr, Annotations annotations) {
    this.expr = expr;
    this.op = expr.op();
    this.annotations = annotations;
  }

  /**
   * Two floats have an element only of operators on floats, so none here.
   *
   * @param leftHistogram null if the left element is the float {@code left}
   */
  void apply(
      int step,
      double left,
      @Nullable NativeHistogram leftHistogram,
      double right,
      @Nullable NativeHistogram rightHistogram,
      Row out) {
    if (leftHistogram != null && rightHistogram != null) {
      both(step, leftHistogram, rightHistogram, out);
    } else if (leftHistogram != null) {
      withFloat(step, leftHistogram, right, out);
    } else if (rightHistogram != null && op == BinaryOp.MULTIPLY) {
      out.set(step, rightHistogram.times(left).compact());
    } else {
      undefined("float", rightHistogram == null ? "float" : "histogram");
    }
  }

  private void withFloat(int step, NativeHistogram left, double right, Row out) {
    switch (op) {
      case MULTIPLY -> out.set(step, left.times(right).compact());
      case DIVIDE -> out.set(step, left.dividedBy(right).compact());
      case TRIM_UPPER -> out.set(step, left.upTo(right));
      case TRIM_LOWER -> out.set(step, left.above(right));
      case ADD,
          SUBTRACT,
          MODULO,
          ATAN2,
          POWER,
          EQUAL,
          NOT_EQUAL,
          LESS,
          LESS_OR_EQUAL,
          GREATER,
          GREATER_OR_EQUAL,
          OR,
          AND,
          UNLESS ->
          undefined("histogram", "float");
    }
  }

  private void both(int step, NativeHistogram left, NativeHistogram right, Row out) {
    switch (op) {
      case ADD -> sum(step, left, right, 1, out);
      case SUBTRACT -> sum(step, left, right, -1, out);
      case EQUAL -> compared(step, left, left.sameAs(right), out);
      case NOT_EQUAL -> compared(step, left, !left.sameAs(right), out);
      case MULTIPLY,
          DIVIDE,
          MODULO,
          ATAN2,
          POWER,
          LESS,
          LESS_OR_EQUAL,
          GREATER,
          GREATER_OR_EQUAL,
          TRIM_UPPER,
          TRIM_LOWER,
          OR,
          AND,
          UNLESS ->
          undefined("histogram", "histogram");
    }
  }

  private void sum(int step, NativeHistogram left, NativeHistogram right, int sign, Row out) {
    String operation = sign > 0 ? "addition" : "subtraction";
    try {
      HistogramSum sum = HistogramSum.of(left, right, sign);
      if (sum.resetsContradict()) {
        annotations.contradictingResets(operation, expr.span());
      }
      if (sum.boundsReconciled()) {
        annotations.reconciledBounds(operation, expr.span());
      }
      out.set(step, sum.result().compact());
    } catch (IncompatibleSchemas e) {
      annotations.incompatibleBuckets(op.symbol(), expr.span());
    }
  }

  private void compared(int step, NativeHistogram left, boolean holds, Row out) {
    if (expr.returnBool()) {
      out.set(step, holds ? 1 : 0);
    } else if (holds) {
      out.set(step, left);
    }
  }

  private void undefined(String left, String right) {
    annotations.incompatibleTypes(left, op.symbol(), right, expr.span());
  }
}
