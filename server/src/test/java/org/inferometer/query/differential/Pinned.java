package org.inferometer.query.differential;

import org.inferometer.promql.Expr;
import org.inferometer.promql.Expr.TimeShift;

/** Expressions whose selectors all look at one time, whenever they are evaluated. */
final class Pinned {
  private Pinned() {}

  /** The expression with {@code @} that time on each selector or subquery that has none. */
  static Expr at(Expr expr, long timeMs) {
    return switch (expr) {
      case Expr.VectorSelector s ->
          new Expr.VectorSelector(
              s.metricName(), s.matchers(), at(s.shift(), timeMs), s.extension(), s.span());
      case Expr.Subquery s when s.shift().at() == null ->
          new Expr.Subquery(s.inner(), s.range(), s.step(), at(s.shift(), timeMs), s.span());
      case Expr.Subquery s -> s;
      case Expr other -> {
        Expr pinned = other;
        for (int i = 0; i < pinned.children().size(); i++) {
          pinned = Shrinker.replace(pinned, i, at(pinned.children().get(i), timeMs));
        }
        yield pinned;
      }
    };
  }

  private static TimeShift at(TimeShift shift, long timeMs) {
    return shift.at() == null ? new TimeShift(shift.offset(), new Expr.At.Instant(timeMs)) : shift;
  }
}
