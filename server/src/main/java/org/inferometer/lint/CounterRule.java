package org.inferometer.lint;

import java.util.List;
import java.util.Set;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.inferometer.signals.Families.Match;
import org.inferometer.signals.Families.Part;
import org.inferometer.signals.FamilyType;

/** Counters that are used bare, and gauges that are used as counters. */
final class CounterRule implements ExprRules.ExprRule {
  private static final Set<String> RATES = Set.of("rate", "irate", "increase", "resets");

  private static final Set<String> DELTAS = Set.of("delta", "idelta", "deriv", "predict_linear");

  /** What asks only whether there are series, or how a counter moved. */
  private static final Set<String> FINE =
      Set.of(
          "rate",
          "irate",
          "increase",
          "resets",
          "changes",
          "absent",
          "absent_over_time",
          "present_over_time",
          "count_over_time",
          "timestamp",
          "histogram_count",
          "histogram_sum");

  @Override
  public void check(Scene scene) {
    if (!scene.query().usesValues()) {
      return;
    }
    for (Expr.VectorSelector selector : scene.nodes(Expr.VectorSelector.class)) {
      List<Match> matches = scene.matches(selector);
      if (!matches.isEmpty() && matches.stream().allMatch(CounterRule::isCounter)) {
        counter(scene, selector, matches.getFirst());
      } else if (!matches.isEmpty() && matches.stream().allMatch(CounterRule::isGauge)) {
        gauge(scene, selector, matches.getFirst());
      }
    }
  }

  private static boolean isCounter(Match match) {
    return MetricNames.isOfHistogram(match)
        || (match.part() == Part.VALUE && match.family().type() == FamilyType.COUNTER);
  }

  private static boolean isGauge(Match match) {
    return match.part() == Part.VALUE && match.family().type() == FamilyType.GAUGE;
  }

  private static void gauge(Scene scene, Expr.VectorSelector selector, Match match) {
    if (!(scene.parent(selector) instanceof Expr.MatrixSelector matrix)
        || !(scene.parent(matrix) instanceof Expr.Call call)
        || !RATES.contains(call.function().name())) {
      return;
    }
    String lies =
        match.family().declared() == FamilyType.COUNTER
            ? " though its page calls it a counter"
            : "";
    scene.report(
        LintRule.RATE_OF_GAUGE,
        Severity.ERROR,
        selector.span(),
        "%s() of %s, which is a gauge%s: use the value itself, or avg_over_time()"
            .formatted(call.function().name(), match.family().name(), lies));
  }

  private static void counter(Scene scene, Expr.VectorSelector selector, Match match) {
    Expr below = selector;
    for (Expr up : scene.around(selector)) {
      if (up instanceof Expr.Call call) {
        if (DELTAS.contains(call.function().name())) {
          delta(scene, selector, call, match);
          return;
        }
        if (FINE.contains(call.function().name())) {
          return;
        }
      }
      if (up instanceof Expr.Aggregate aggregate && countsSeries(aggregate)) {
        return;
      }
      if (up instanceof Expr.Binary binary && onlySelects(scene, binary, below)) {
        return;
      }
      below = up;
    }
    bare(scene, selector, match);
  }

  private static boolean countsSeries(Expr.Aggregate aggregate) {
    return switch (aggregate.op()) {
      case COUNT, GROUP, COUNT_VALUES -> true;
      case SUM, AVG, MIN, MAX, STDDEV, STDVAR, TOPK, BOTTOMK, QUANTILE, LIMITK, LIMIT_RATIO ->
          false;
    };
  }

  /** Whether the value of a side of an operation plays no part in the outcome. */
  private static boolean onlySelects(Scene scene, Expr.Binary binary, Expr side) {
    boolean right = binary.right().span().equals(side.span());
    if (right && (binary.op() == BinaryOp.AND || binary.op() == BinaryOp.UNLESS)) {
      return true;
    }
    Expr other = right ? binary.left() : binary.right();
    Double number = Scene.number(other);
    if (binary.op() == BinaryOp.MULTIPLY && number != null && number == 0) {
      return true;
    }
    boolean same = !other.selectors().isEmpty() && isEarlierSelf(scene, side, other);
    return same
        && (binary.op() == BinaryOp.SUBTRACT || binary.op().kind() == BinaryOp.Kind.COMPARISON);
  }

  /** Whether one is the other at another time: a difference that was written out. */
  private static boolean isEarlierSelf(Scene scene, Expr a, Expr b) {
    return Scene.inner(a) instanceof Expr.VectorSelector one
        && Scene.inner(b) instanceof Expr.VectorSelector two
        && Scene.nameOf(one).equals(Scene.nameOf(two))
        && !one.shift().equals(two.shift())
        && scene.query().usesValues();
  }

  private static void delta(
      Scene scene, Expr.VectorSelector selector, Expr.Call call, Match match) {
    // Where neither page nor name calls it a counter, rate() looks wrong to whoever reads it.
    boolean declared =
        match.family().declared() == null
            && (MetricNames.isOfHistogram(match) || match.family().name().endsWith("_total"));
    scene.report(
        LintRule.DELTA_OF_COUNTER,
        declared ? Severity.WARNING : Severity.HINT,
        selector.span(),
        "%s() of the counter %s jumps down when it starts anew: use increase() or rate()%s"
            .formatted(
                call.function().name(),
                Scene.nameOf(selector),
                declared ? "" : ", which take it for a counter whatever the page declares"));
  }

  private static void bare(Scene scene, Expr.VectorSelector selector, Match match) {
    boolean againstZero =
        scene.around(selector).stream()
            .anyMatch(
                up ->
                    up instanceof Expr.Binary binary
                        && binary.op().kind() == BinaryOp.Kind.COMPARISON
                        && Double.valueOf(0).equals(Scene.number(binary.right())));
    scene.report(
        LintRule.RAW_COUNTER,
        againstZero && match.part() == Part.VALUE ? Severity.HINT : Severity.WARNING,
        selector.span(),
        Scene.nameOf(selector) + says(match));
  }

  private static String says(Match match) {
    return switch (match.part()) {
      case BUCKET ->
          " counts since its process started: put rate() around it, or old requests outweigh new"
              + " ones";
      case SUM, COUNT ->
          " adds up since its process started: put rate() around it, or it tells of the whole run";
      case VALUE, CREATED -> " is a counter, which only rises: use rate() or increase()";
    };
  }
}
