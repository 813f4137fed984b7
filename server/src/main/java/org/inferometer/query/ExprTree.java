package org.inferometer.query;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.inferometer.promql.Expr;

/** Questions about an expression's tree that need no data. */
final class ExprTree {
  /** Functions whose result depends on the evaluation time even if their arguments don't. */
  private static final Set<String> TIME_DEPENDENT =
      Set.of(
          "day_of_month",
          "day_of_week",
          "day_of_year",
          "days_in_month",
          "end",
          "hour",
          "minute",
          "month",
          "predict_linear",
          "range",
          "start",
          "step",
          "time",
          "timestamp",
          "year");

  private ExprTree() {}

  /** Where each node of one tree stands in another that is equal to it but for its place. */
  static IntUnaryOperator places(Expr from, Expr to) {
    Map<Integer, Integer> starts = new HashMap<>();
    addPlaces(from, to, starts);
    return place -> starts.getOrDefault(place, to.span().start());
  }

  private static void addPlaces(Expr from, Expr to, Map<Integer, Integer> starts) {
    starts.putIfAbsent(from.span().start(), to.span().start());
    List<Expr> fromChildren = from.children();
    List<Expr> toChildren = to.children();
    for (int i = 0; i < fromChildren.size(); i++) {
      addPlaces(fromChildren.get(i), toChildren.get(i), starts);
    }
  }

  /** The expression inside any parentheses. */
  static Expr unwrap(Expr e) {
    Expr inner = e;
    while (inner instanceof Expr.Paren paren) {
      inner = paren.inner();
    }
    return inner;
  }

  /** Whether the tree is deeper than a limit; itself takes no stack. */
  static boolean isDeeperThan(Expr root, int limit) {
    record Place(Expr expr, int depth) {}
    Deque<Place> open = new ArrayDeque<>();
    open.push(new Place(root, 1));
    while (!open.isEmpty()) {
      Place place = open.pop();
      if (place.depth() > limit) {
        return true;
      }
      place.expr().children().forEach(child -> open.push(new Place(child, place.depth() + 1)));
    }
    return false;
  }

  /** Whether the value is the same at every step, because all times in it are fixed by @. */
  static boolean isStepInvariant(Expr e) {
    return switch (e) {
      case Expr.VectorSelector s -> s.shift().at() != null;
      case Expr.MatrixSelector m -> isStepInvariant(m.selector());
      case Expr.Subquery s -> s.shift().at() != null;
      case Expr.Call c ->
          !TIME_DEPENDENT.contains(c.function().name()) && areStepInvariant(timed(c));
      case Expr.NumberLiteral n -> true;
      case Expr.StringLiteral s -> true;
      case Expr.Paren p -> isStepInvariant(p.inner());
      case Expr.Unary u -> isStepInvariant(u.operand());
      case Expr.Binary b -> areStepInvariant(b.children());
      case Expr.Aggregate a -> areStepInvariant(a.children());
    };
  }

  /** The arguments whose times count: info series are looked up when the first argument says. */
  private static List<Expr> timed(Expr.Call call) {
    return call.function().name().equals("info")
        ? call.arguments().subList(0, 1)
        : call.arguments();
  }

  private static boolean areStepInvariant(List<Expr> expressions) {
    for (Expr e : expressions) {
      if (!isStepInvariant(e)) {
        return false;
      }
    }
    return true;
  }
}
