package org.inferometer.query;

import java.util.List;
import org.inferometer.promql.Expr;
import org.inferometer.query.Evaluation.QueryTimes;

/** The stretch of time that all selectors of some queries together look at. */
final class TimeBounds {
  private final QueryTimes times;
  private long minMs = Long.MAX_VALUE;
  private long maxMs = Long.MIN_VALUE;

  TimeBounds(QueryTimes times, List<Expr> roots) {
    this.times = times;
    roots.forEach(root -> visit(root, times.startMs(), times.endMs()));
    if (minMs > maxMs) {
      minMs = times.startMs();
      maxMs = times.endMs();
    }
  }

  /**
   * @throws Abort if a duration in the expression can't be used
   */
  static void check(QueryTimes times, Expr expr) {
    TimeBounds _ = new TimeBounds(times, List.of(expr));
  }

  long minMs() {
    return minMs;
  }

  long maxMs() {
    return maxMs;
  }

  private void visit(Expr e, long fromMs, long toMs) {
    switch (e) {
      case Expr.VectorSelector s -> add(s, fromMs, toMs, times.lookbackMs());
      case Expr.MatrixSelector m ->
          add(m.selector(), fromMs, toMs, times.durationMs(m.range()) + extra(m.selector()));
      case Expr.Subquery s -> {
        Shift shift = times.shift(s.shift());
        visit(s.inner(), shift.apply(fromMs) - times.durationMs(s.range()), shift.apply(toMs));
      }
      case Expr.NumberLiteral n -> {}
      case Expr.StringLiteral s -> {}
      case Expr.Paren p -> visit(p.inner(), fromMs, toMs);
      case Expr.Unary u -> visit(u.operand(), fromMs, toMs);
      case Expr.Binary b -> visitChildren(b, fromMs, toMs);
      case Expr.Aggregate a -> visitChildren(a, fromMs, toMs);
      case Expr.Call c -> {
        visitChildren(c, fromMs, toMs);
        if (c.function().name().equals("info")) {
          Shift shift = InfoFunction.reference(c.arguments().getFirst(), times);
          add(shift.apply(fromMs) - times.lookbackMs() + 1, shift.apply(toMs));
        }
      }
    }
  }

  private void visitChildren(Expr e, long fromMs, long toMs) {
    e.children().forEach(child -> visit(child, fromMs, toMs));
  }

  /** Extended ranges look for samples around the window as an instant selector does. */
  private long extra(Expr.VectorSelector selector) {
    return selector.extension() == Expr.RangeExtension.NONE ? 0 : times.lookbackMs();
  }

  private void add(Expr.VectorSelector selector, long fromMs, long toMs, long backMs) {
    Shift shift = times.shift(selector.shift());
    long after = selector.extension() == Expr.RangeExtension.SMOOTHED ? times.lookbackMs() : 0;
    add(shift.apply(fromMs) - backMs + 1, shift.apply(toMs) + after);
  }

  private void add(long fromMs, long toMs) {
    minMs = Math.min(minMs, fromMs);
    maxMs = Math.max(maxMs, toMs);
  }
}
