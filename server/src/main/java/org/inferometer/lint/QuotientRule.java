package org.inferometer.lint;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.inferometer.lint.LintQuery.Kind;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.inferometer.signals.Families.Match;
import org.inferometer.signals.Population;
import org.jspecify.annotations.Nullable;

/** Quotients: of different populations, by nothing; and zeros that stand for nothing known. */
final class QuotientRule implements ExprRules.ExprRule {
  /** Counts of requests. */
  private static final Set<Population> REQUESTS =
      EnumSet.of(
          Population.ARRIVED,
          Population.FIRST_TOKEN,
          Population.FINISHED,
          Population.SUCCEEDED,
          Population.FAILED,
          Population.HTTP);

  @Override
  public void check(Scene scene) {
    if (!scene.query().usesValues()) {
      return;
    }
    for (Expr.Binary binary : scene.nodes(Expr.Binary.class)) {
      if (binary.op() == BinaryOp.DIVIDE) {
        populations(scene, binary);
        divisor(scene, binary);
      } else if (binary.op() == BinaryOp.OR) {
        zero(scene, binary);
      }
    }
  }

  private static void populations(Scene scene, Expr.Binary binary) {
    Match over = only(scene, binary.left());
    Match under = only(scene, binary.right());
    if (over == null || under == null) {
      return;
    }
    Population above = counts(scene, binary.left());
    Population below = counts(scene, binary.right());
    if (above != null && below != null && differ(above, below)) {
      scene.report(
          LintRule.MIXED_POPULATIONS,
          Severity.HINT,
          binary.span(),
          "%s counts %s, %s counts %s: the quotient is off while load changes"
              .formatted(
                  over.family().name(), above.words(), under.family().name(), below.words()));
    }
  }

  /** What all families agree on that the one name of a side can stand for. */
  private static @Nullable Population counts(Scene scene, Expr side) {
    Set<Population> counts = EnumSet.noneOf(Population.class);
    for (Match match : scene.matches(side.selectors().getFirst())) {
      if (match.family().counts() != null) {
        counts.add(match.family().counts());
      }
    }
    return counts.size() == 1 ? counts.iterator().next() : null;
  }

  private static boolean differ(Population above, Population below) {
    if (above == below) {
      return false;
    }
    if (REQUESTS.contains(above) && REQUESTS.contains(below)) {
      boolean partOfEnded =
          (above == Population.FAILED || above == Population.SUCCEEDED)
              && (below == Population.FINISHED || below == Population.ARRIVED);
      return !partOfEnded;
    }
    return above == Population.TOKENS_LIVE
        && (below == Population.FINISHED || below == Population.SUCCEEDED);
  }

  /** The one sample that a side is made from. */
  private static @Nullable Match only(Scene scene, Expr side) {
    List<Expr.VectorSelector> selectors = side.selectors();
    if (selectors.size() != 1) {
      return null;
    }
    List<Match> matches = scene.matches(selectors.getFirst());
    return matches.isEmpty() ? null : matches.getFirst();
  }

  private static void divisor(Scene scene, Expr.Binary binary) {
    Kind kind = scene.query().kind();
    if (kind != Kind.ALERT && kind != Kind.RECORD && kind != Kind.SCALER) {
      return;
    }
    boolean moves =
        binary.right().selectors().stream().anyMatch(selector -> isRate(scene, selector));
    if (moves && !isGuarded(binary.right()) && !isGuardedAround(scene, binary)) {
      scene.report(
          LintRule.DIVISION_BY_ZERO,
          Severity.HINT,
          binary.right().span(),
          "without traffic the divisor is 0 or has no series, and the quotient is NaN or nothing:"
              + " add > 0 to the divisor");
    }
  }

  private static boolean isRate(Scene scene, Expr.VectorSelector selector) {
    return scene.parent(selector) instanceof Expr.MatrixSelector;
  }

  private static boolean isGuarded(Expr divisor) {
    return switch (Scene.inner(divisor)) {
      case Expr.Binary binary ->
          binary.op().kind() == BinaryOp.Kind.COMPARISON
              || binary.op() == BinaryOp.OR
              || (binary.op() == BinaryOp.ADD && Scene.number(binary.right()) != null);
      case Expr.Call call -> call.function().name().startsWith("clamp");
      default -> false;
    };
  }

  /** Whether the whole only counts where another condition holds. */
  private static boolean isGuardedAround(Scene scene, Expr.Binary binary) {
    return scene.around(binary).stream()
        .anyMatch(up -> up instanceof Expr.Binary and && and.op() == BinaryOp.AND);
  }

  private static void zero(Scene scene, Expr.Binary binary) {
    if (Scene.inner(binary.right()) instanceof Expr.Call call
        && call.function().name().equals("vector")
        && Double.valueOf(0).equals(Scene.number(call.arguments().getFirst()))) {
      scene.report(
          LintRule.OR_VECTOR_ZERO,
          Severity.HINT,
          binary.right().span(),
          "or vector(0) shows 0 also when the metric is gone or no target is scraped: nothing is"
              + " known then");
    }
  }
}
