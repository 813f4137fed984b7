package org.inferometer.signals;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.inferometer.promql.Expr;
import org.jspecify.annotations.Nullable;

/** Tells whether a query of many targets, split by them, says of each what one of its own would. */
final class TargetSplit {
  /** What makes one of many, something of nothing, or other labels. */
  private static final Set<String> MIXING =
      Set.of(
          "absent", "absent_over_time", "info", "label_join", "label_replace", "scalar", "vector");

  private TargetSplit() {}

  /** Whether what an expression gives for a target comes from that target's series alone. */
  static boolean isApart(Expr e) {
    boolean isOwn =
        switch (e) {
          case Expr.Call call -> !MIXING.contains(call.function().name());
          case Expr.Aggregate a -> keeps(a) && !(a.parameter() instanceof Expr.StringLiteral);
          case Expr.Binary b -> isMatchedByTarget(b.matching());
          case Expr.NumberLiteral _, Expr.StringLiteral _, Expr.Paren _, Expr.Unary _ -> true;
          case Expr.VectorSelector _, Expr.MatrixSelector _, Expr.Subquery _ -> true;
        };
    return isOwn && e.children().stream().allMatch(TargetSplit::isApart);
  }

  private static boolean keeps(Expr.Aggregate a) {
    return a.without()
        ? Target.LABELS.stream().noneMatch(a.grouping()::contains)
        : a.grouping().containsAll(Target.LABELS);
  }

  private static boolean isMatchedByTarget(Expr.@Nullable VectorMatching matching) {
    if (matching == null) {
      return true;
    }
    List<String> labels = matching.labels();
    return matching.on()
        ? labels.containsAll(Target.LABELS)
        : Target.LABELS.stream().noneMatch(labels::contains);
  }

  /** Whether no series that an expression gives has any of these labels. */
  static boolean drops(Expr e, Collection<String> labels) {
    return switch (e) {
      case Expr.Aggregate a when a.without() ->
          a.grouping().containsAll(labels) || drops(a.operand(), labels);
      case Expr.Aggregate a -> labels.stream().noneMatch(a.grouping()::contains);
      case Expr.VectorSelector _ -> labels.isEmpty();
      case Expr.Binary b when b.matching() != null && !b.matching().include().isEmpty() -> false;
      case Expr.Paren _, Expr.Unary _, Expr.Binary _, Expr.Call _ ->
          e.children().stream().allMatch(child -> drops(child, labels));
      case Expr.MatrixSelector _, Expr.Subquery _ ->
          e.children().stream().allMatch(child -> drops(child, labels));
      case Expr.NumberLiteral _, Expr.StringLiteral _ -> true;
    };
  }
}
