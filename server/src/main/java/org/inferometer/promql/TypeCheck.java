package org.inferometer.promql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which types expressions have, and which may stand where; in Prometheus's words. */
public final class TypeCheck {
  private TypeCheck() {}

  public static ValueType typeOf(Expr expr) {
    return switch (expr) {
      case Expr.NumberLiteral n -> ValueType.SCALAR;
      case Expr.StringLiteral s -> ValueType.STRING;
      case Expr.Paren p -> typeOf(p.inner());
      case Expr.Unary u -> typeOf(u.operand());
      case Expr.Binary b ->
          typeOf(b.left()) == ValueType.SCALAR && typeOf(b.right()) == ValueType.SCALAR
              ? ValueType.SCALAR
              : ValueType.INSTANT_VECTOR;
      case Expr.Aggregate a -> ValueType.INSTANT_VECTOR;
      case Expr.Call c -> c.function().result();
      case Expr.VectorSelector v -> ValueType.INSTANT_VECTOR;
      case Expr.MatrixSelector m -> ValueType.RANGE_VECTOR;
      case Expr.Subquery q -> ValueType.RANGE_VECTOR;
    };
  }

  static void unary(String query, ValueType operand, Span span) throws ParseException {
    if (operand != ValueType.SCALAR && operand != ValueType.INSTANT_VECTOR) {
      throw new ParseException(
          query,
          span,
          "unary expression only allowed on expressions of type scalar or instant vector, got \""
              + operand.documented()
              + "\"");
    }
  }

  static void subquery(String query, ValueType inner, Span span) throws ParseException {
    if (inner != ValueType.INSTANT_VECTOR) {
      throw new ParseException(
          query,
          span,
          "subquery is only allowed on instant vector, got " + inner.documented() + " instead");
    }
  }

  static void binary(
      String query,
      BinaryOp op,
      ValueType left,
      ValueType right,
      boolean returnBool,
      boolean matchingWritten,
      Expr leftExpr,
      Expr rightExpr)
      throws ParseException {
    Span span = new Span(leftExpr.span().start(), rightExpr.span().end());
    boolean scalars = left == ValueType.SCALAR && right == ValueType.SCALAR;
    if (op.isComparison() && scalars && !returnBool) {
      throw new ParseException(query, span, "comparisons between scalars must use BOOL modifier");
    }
    for (Expr side : List.of(leftExpr, rightExpr)) {
      ValueType type = typeOf(side);
      if (type != ValueType.SCALAR && type != ValueType.INSTANT_VECTOR) {
        throw new ParseException(
            query,
            side.span(),
            "binary expression must contain only scalar and instant vector types");
      }
    }
    boolean vectors = left == ValueType.INSTANT_VECTOR && right == ValueType.INSTANT_VECTOR;
    if (!vectors && matchingWritten) {
      throw new ParseException(
          query, span, "vector matching only allowed between instant vectors");
    }
    if (!vectors && op.isSet()) {
      throw new ParseException(
          query,
          span,
          "set operator \"" + op.symbol() + "\" not allowed in binary scalar expression");
    }
  }

  static void matching(String query, BinaryOp op, Expr.VectorMatching matching, Span span)
      throws ParseException {
    boolean grouped =
        matching.cardinality() == Expr.Cardinality.MANY_TO_ONE
            || matching.cardinality() == Expr.Cardinality.ONE_TO_MANY;
    if (op.isSet() && grouped) {
      throw new ParseException(
          query, span, "no grouping allowed for \"" + op.symbol() + "\" operation");
    }
    if (op.isSet() && (matching.fillLeft() != null || matching.fillRight() != null)) {
      throw new ParseException(
          query, span, "filling in missing series not allowed for set operators");
    }
    for (String label : matching.include()) {
      if (matching.on() && matching.labels().contains(label)) {
        throw new ParseException(
            query, span, "label \"" + label + "\" must not occur in ON and GROUP clause at once");
      }
    }
  }

  static void aggregate(String query, AggregateOp op, @Nullable Expr parameter, Expr operand)
      throws ParseException {
    expect(query, operand, ValueType.INSTANT_VECTOR, "aggregation expression");
    ValueType wanted = op.parameter();
    if (parameter != null && wanted != null) {
      expect(query, parameter, wanted, "aggregation parameter");
    }
  }

  static void call(String query, FunctionSignature function, List<Expr> arguments, Span span)
      throws ParseException {
    int most = function.arguments().size();
    int least = function.optional() < 0 ? most - 1 : most - function.optional();
    String bound =
        arguments.size() < least
            ? (function.optional() == 0 ? "" : "at least ") + least
            : arguments.size() > most && function.optional() >= 0
                ? (function.optional() == 0 ? "" : "at most ") + most
                : "";
    if (!bound.isEmpty()) {
      throw new ParseException(
          query,
          span,
          "expected "
              + bound
              + " argument(s) in call to \""
              + function.name()
              + "\", got "
              + arguments.size());
    }
    for (int i = 0; i < arguments.size(); i++) {
      expect(
          query,
          arguments.get(i),
          function.arguments().get(Math.min(i, most - 1)),
          "call to function \"" + function.name() + "\"");
    }
  }

  private static void expect(String query, Expr expr, ValueType wanted, String context)
      throws ParseException {
    ValueType actual = typeOf(expr);
    if (actual != wanted) {
      throw new ParseException(
          query,
          expr.span(),
          "expected type "
              + wanted.documented()
              + " in "
              + context
              + ", got "
              + actual.documented());
    }
  }
}
