package org.inferometer.query.script;

import java.util.List;
import java.util.Set;
import org.inferometer.promql.DurationExpr;
import org.inferometer.promql.Expr;
import org.jspecify.annotations.Nullable;

/**
 * What a script's runner wants to know of a query: whether its answer depends on when it is
 * evaluated, the query with that pinned, and its selectors.
 */
final class QueryShape {
  private static final Set<String> OF_RANGE = Set.of("start", "end", "range", "step");
  private static final Set<String> OF_TIME =
      Set.of(
          "time",
          "timestamp",
          "predict_linear",
          "days_in_month",
          "day_of_month",
          "day_of_week",
          "day_of_year",
          "hour",
          "minute",
          "month",
          "year");

  private QueryShape() {}

  static boolean dependsOnTime(Expr expr) {
    return calls(expr, OF_TIME) || dependsOnRange(expr);
  }

  static boolean dependsOnRange(Expr expr) {
    return calls(expr, OF_RANGE);
  }

  /** Every selector of a query. */
  static List<Expr.VectorSelector> selectors(Expr expr) {
    return switch (expr) {
      case Expr.NumberLiteral number -> List.of();
      case Expr.StringLiteral string -> List.of();
      case Expr.Paren paren -> selectors(paren.inner());
      case Expr.Unary unary -> selectors(unary.operand());
      case Expr.Binary binary -> selectors(List.of(binary.left(), binary.right()));
      case Expr.Aggregate aggregate -> {
        Expr parameter = aggregate.parameter();
        yield selectors(
            parameter == null
                ? List.of(aggregate.operand())
                : List.of(parameter, aggregate.operand()));
      }
      case Expr.Call call -> selectors(call.arguments());
      case Expr.VectorSelector selector -> List.of(selector);
      case Expr.MatrixSelector matrix -> List.of(matrix.selector());
      case Expr.Subquery subquery -> selectors(subquery.inner());
    };
  }

  private static List<Expr.VectorSelector> selectors(List<Expr> exprs) {
    return exprs.stream().flatMap(expr -> selectors(expr).stream()).toList();
  }

  private static boolean calls(Expr expr, Set<String> names) {
    return switch (expr) {
      case Expr.NumberLiteral number -> false;
      case Expr.StringLiteral string -> false;
      case Expr.Paren paren -> calls(paren.inner(), names);
      case Expr.Unary unary -> calls(unary.operand(), names);
      case Expr.Binary binary -> calls(binary.left(), names) || calls(binary.right(), names);
      case Expr.Aggregate aggregate ->
          calls(aggregate.operand(), names) || callsIfAny(aggregate.parameter(), names);
      case Expr.Call call ->
          names.contains(call.function().name())
              || call.arguments().stream().anyMatch(argument -> calls(argument, names));
      case Expr.VectorSelector selector -> shift(selector.shift(), names);
      case Expr.MatrixSelector matrix ->
          shift(matrix.selector().shift(), names) || duration(matrix.range(), names);
      case Expr.Subquery subquery ->
          calls(subquery.inner(), names)
              || shift(subquery.shift(), names)
              || duration(subquery.range(), names)
              || duration(subquery.step(), names);
    };
  }

  private static boolean callsIfAny(@Nullable Expr expr, Set<String> names) {
    return expr != null && calls(expr, names);
  }

  private static boolean shift(Expr.TimeShift shift, Set<String> names) {
    boolean bound = shift.at() instanceof Expr.At.Start || shift.at() instanceof Expr.At.End;
    return (bound && names.contains("start")) || duration(shift.offset(), names);
  }

  private static boolean duration(@Nullable DurationExpr duration, Set<String> names) {
    return duration != null && names.contains("step") && duration.dependsOnQuery();
  }

  /** The query with {@code @} this time on every selector and subquery that has none. */
  static Expr fixedAt(Expr expr, long timeMs) {
    return switch (expr) {
      case Expr.NumberLiteral number -> number;
      case Expr.StringLiteral string -> string;
      case Expr.Paren paren -> new Expr.Paren(fixedAt(paren.inner(), timeMs), paren.span());
      case Expr.Unary unary ->
          new Expr.Unary(unary.minus(), fixedAt(unary.operand(), timeMs), unary.span());
      case Expr.Binary b ->
          new Expr.Binary(
              b.op(),
              fixedAt(b.left(), timeMs),
              fixedAt(b.right(), timeMs),
              b.returnBool(),
              b.matching(),
              b.span());
      case Expr.Aggregate a -> {
        Expr parameter = a.parameter();
        yield new Expr.Aggregate(
            a.op(),
            fixedAt(a.operand(), timeMs),
            parameter == null ? null : fixedAt(parameter, timeMs),
            a.grouping(),
            a.without(),
            a.span());
      }
      case Expr.Call call ->
          new Expr.Call(
              call.function(),
              call.arguments().stream().map(argument -> fixedAt(argument, timeMs)).toList(),
              call.span());
      case Expr.VectorSelector selector -> fixedSelector(selector, timeMs);
      case Expr.MatrixSelector matrix ->
          new Expr.MatrixSelector(
              fixedSelector(matrix.selector(), timeMs), matrix.range(), matrix.span());
      // What is inside a fixed subquery is evaluated at its own times.
      case Expr.Subquery q ->
          new Expr.Subquery(q.inner(), q.range(), q.step(), fixed(q.shift(), timeMs), q.span());
    };
  }

  private static Expr.VectorSelector fixedSelector(Expr.VectorSelector s, long timeMs) {
    return new Expr.VectorSelector(
        s.metricName(), s.matchers(), fixed(s.shift(), timeMs), s.extension(), s.span());
  }

  private static Expr.TimeShift fixed(Expr.TimeShift shift, long timeMs) {
    return shift.at() != null
        ? shift
        : new Expr.TimeShift(shift.offset(), new Expr.At.Instant(timeMs));
  }
}
