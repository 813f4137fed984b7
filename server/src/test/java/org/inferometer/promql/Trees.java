package org.inferometer.promql;

import java.util.Comparator;
import java.util.List;
import org.inferometer.model.Matcher;
import org.jspecify.annotations.Nullable;

/** Trees without what doesn't tell them apart: spans, and the order of matchers. */
final class Trees {
  private Trees() {}

  static Expr bare(Expr expr) {
    return switch (expr) {
      case Expr.NumberLiteral n ->
          new Expr.NumberLiteral(n.value(), n.writtenAsDuration(), Span.NONE);
      case Expr.StringLiteral s -> new Expr.StringLiteral(s.value(), Span.NONE);
      case Expr.Paren p -> new Expr.Paren(bare(p.inner()), Span.NONE);
      case Expr.Unary u -> new Expr.Unary(u.minus(), bare(u.operand()), Span.NONE);
      case Expr.Binary b ->
          new Expr.Binary(
              b.op(), bare(b.left()), bare(b.right()), b.returnBool(), b.matching(), Span.NONE);
      case Expr.Aggregate a ->
          new Expr.Aggregate(
              a.op(),
              bare(a.operand()),
              a.parameter() == null ? null : bare(a.parameter()),
              a.grouping(),
              a.without(),
              Span.NONE);
      case Expr.Call c ->
          new Expr.Call(c.function(), c.arguments().stream().map(Trees::bare).toList(), Span.NONE);
      case Expr.VectorSelector v -> bare(v);
      case Expr.MatrixSelector m ->
          new Expr.MatrixSelector(bare(m.selector()), bareDuration(m.range()), Span.NONE);
      case Expr.Subquery q ->
          new Expr.Subquery(
              bare(q.inner()),
              bareDuration(q.range()),
              q.step() == null ? null : bareDuration(q.step()),
              bare(q.shift()),
              Span.NONE);
    };
  }

  private static Expr.VectorSelector bare(Expr.VectorSelector vector) {
    List<Matcher> matchers =
        vector.matchers().stream().sorted(Comparator.comparing(Matcher::toString)).toList();
    return new Expr.VectorSelector(
        vector.metricName(), matchers, bare(vector.shift()), vector.extension(), Span.NONE);
  }

  private static Expr.TimeShift bare(Expr.TimeShift shift) {
    @Nullable DurationExpr offset = shift.offset();
    return new Expr.TimeShift(offset == null ? null : bareDuration(offset), shift.at());
  }

  private static DurationExpr bareDuration(DurationExpr duration) {
    return switch (duration) {
      case DurationExpr.Fixed fixed -> fixed;
      case DurationExpr.Computed computed ->
          new DurationExpr.Computed(bare(computed.term()), Span.NONE);
    };
  }

  private static DurationExpr.Term bare(DurationExpr.Term term) {
    return switch (term) {
      case DurationExpr.Literal literal -> literal;
      case DurationExpr.Step step -> step;
      case DurationExpr.QueryRange range -> range;
      case DurationExpr.Negation n -> new DurationExpr.Negation(bare(n.operand()));
      case DurationExpr.Group g -> new DurationExpr.Group(bare(g.inner()));
      case DurationExpr.Extreme e ->
          new DurationExpr.Extreme(e.larger(), bare(e.left()), bare(e.right()));
      case DurationExpr.Arithmetic a ->
          new DurationExpr.Arithmetic(a.op(), bare(a.left()), bare(a.right()), Span.NONE);
    };
  }
}
