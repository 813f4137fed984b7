package org.inferometer.query.script;

import java.util.Set;
import org.inferometer.promql.DurationExpr;
import org.inferometer.promql.Expr;
import org.jspecify.annotations.Nullable;

/**
 * What a script's runner wants to know of a query: whether its answer depends on when it is
 * evaluated, and the query with that pinned.
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

  private static boolean calls(Expr expr, Set<String> names) {
    return callsItself(expr, names)
        || expr.children().stream().anyMatch(child -> calls(child, names));
  }

  private static boolean callsItself(Expr expr, Set<String> names) {
    return switch (expr) {
      case Expr.Call call -> names.contains(call.function().name());
      case Expr.VectorSelector selector -> shift(selector.shift(), names);
      case Expr.MatrixSelector matrix -> duration(matrix.range(), names);
      case Expr.Subquery subquery ->
          shift(subquery.shift(), names)
              || duration(subquery.range(), names)
              || duration(subquery.step(), names);
      case Expr.NumberLiteral _, Expr.StringLiteral _ -> false;
      case Expr.Paren _, Expr.Unary _, Expr.Binary _, Expr.Aggregate _ -> false;
    };
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
