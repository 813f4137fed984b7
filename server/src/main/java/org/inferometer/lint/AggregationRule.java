package org.inferometer.lint;

import java.util.List;
import java.util.Set;
import org.inferometer.model.Matcher;
import org.inferometer.promql.AggregateOp;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.inferometer.signals.Families.Match;
import org.inferometer.signals.Families.Part;
import org.inferometer.signals.Family;
import org.inferometer.signals.FamilyType;
import org.inferometer.signals.ServiceKind;
import org.jspecify.annotations.Nullable;

/** Sums and averages over series that must not be put together so. */
final class AggregationRule implements ExprRules.ExprRule {
  /** Labels of which each value is one thing, so that a sum by them adds up nothing. */
  private static final Set<String> ONE_THING =
      Set.of(
          "instance",
          "pod",
          "exported_pod",
          "kubernetes_pod_name",
          "container",
          "engine",
          "WorkerId",
          "ReplicaId",
          "worker_id",
          "worker",
          "server",
          "gpu",
          "UUID",
          "node",
          "Hostname",
          "hostname",
          "endpoint_name");

  @Override
  public void check(Scene scene) {
    if (!scene.query().usesValues()) {
      return;
    }
    for (Expr.VectorSelector selector : scene.nodes(Expr.VectorSelector.class)) {
      List<Match> matches = scene.matches(selector);
      Expr.Aggregate aggregate = scene.aggregateAbove(selector);
      if (!matches.isEmpty() && aggregate != null && !isTest(scene, selector, aggregate)) {
        Match match = matches.getFirst();
        copies(scene, selector, aggregate, match);
        ratios(scene, aggregate, match.family(), selector);
        routers(scene, selector, aggregate);
      }
    }
  }

  /** Whether a comparison in between decides which series count. */
  private static boolean isTest(Scene scene, Expr selector, Expr.Aggregate aggregate) {
    for (Expr up : scene.between(selector, aggregate)) {
      if (up instanceof Expr.Binary binary
          && binary.op().kind() == BinaryOp.Kind.COMPARISON
          && binary.returnBool()) {
        return true;
      }
    }
    return false;
  }

  private static boolean drops(Expr.Aggregate aggregate, String label) {
    return aggregate.without() == aggregate.grouping().contains(label);
  }

  private static void copies(
      Scene scene, Expr.VectorSelector selector, Expr.Aggregate aggregate, Match match) {
    Dialects.Profile profile = scene.world().profiles().get(match.family().dialect());
    if (profile == null || aggregate.op() != AggregateOp.SUM) {
      return;
    }
    List<String> dropped =
        profile.copies().stream()
            .filter(copy -> match.family().labels().contains(copy))
            .filter(copy -> drops(aggregate, copy) && !isPinned(selector, copy))
            .toList();
    if (!dropped.isEmpty()) {
      scene.report(
          LintRule.COPIES_SUMMED,
          Severity.WARNING,
          aggregate.span(),
          "sum() over %s counts one thing for each %s that exposes it: take max without (%s) (...)"
                  .formatted(
                      match.family().name(), String.join(", ", dropped), String.join(", ", dropped))
              + " first");
    }
  }

  private static boolean isPinned(Expr.VectorSelector selector, String label) {
    return selector.matchers().stream()
        .anyMatch(m -> m.name().equals(label) && m.type() == Matcher.Type.EQUAL);
  }

  private static void ratios(
      Scene scene, Expr.Aggregate aggregate, Family family, Expr.VectorSelector selector) {
    Quantity quantity = Quantity.ofFamily(family.unit());
    if (family.type() != FamilyType.GAUGE
        || !quantity.is(Quantity.RATIO)
        || aggregate.grouping().stream()
            .anyMatch(l -> !aggregate.without() && ONE_THING.contains(l))
        || isScaledByOther(scene, selector, aggregate)) {
      return;
    }
    if (aggregate.op() == AggregateOp.SUM) {
      scene.report(
          LintRule.SUMMED_RATIO,
          Severity.WARNING,
          aggregate.span(),
          "sum() of %s adds up shares: two half full ones make no full one; use max()"
              .formatted(family.name()));
    } else if (aggregate.op() == AggregateOp.AVG
        && isEngine(scene, family)
        && scene.world().facts().isFill(family.name())) {
      scene.report(
          LintRule.AVERAGED_USAGE,
          Severity.HINT,
          aggregate.span(),
          "avg() of %s hides the engine that is full%s; use max()"
              .formatted(family.name(), zeros(scene, family)));
    }
  }

  /** What else pulls a mean down. */
  private static String zeros(Scene scene, Family family) {
    Dialects.Profile profile = scene.world().profiles().get(family.dialect());
    return profile == null || profile.copies().isEmpty()
        ? ""
        : ", and copies by " + String.join(", ", profile.copies()) + " count as engines";
  }

  /** Whether it is weighted with something before it is summed. */
  private static boolean isScaledByOther(
      Scene scene, Expr.VectorSelector selector, Expr.Aggregate aggregate) {
    for (Expr up : scene.between(selector, aggregate)) {
      if (up instanceof Expr.Binary binary
          && binary.op().kind() == BinaryOp.Kind.ARITHMETIC
          && Scene.number(binary.left()) == null
          && Scene.number(binary.right()) == null) {
        return true;
      }
    }
    return false;
  }

  private static boolean isEngine(Scene scene, Family family) {
    Dialects.Profile profile = scene.world().profiles().get(family.dialect());
    return profile != null && profile.kind() == ServiceKind.ENGINE;
  }

  /** The same name from a router and from the engines behind it. */
  private static void routers(Scene scene, Expr.VectorSelector selector, Expr.Aggregate aggregate) {
    if (aggregate.op() != AggregateOp.SUM || hasOwnMatcher(selector)) {
      return;
    }
    Match engine = ofKind(scene, selector, ServiceKind.ENGINE);
    Match router = ofKind(scene, selector, ServiceKind.ROUTER);
    if (engine == null || router == null || engine.part() != Part.VALUE) {
      return;
    }
    String own =
        router.family().labels().stream()
            .filter(label -> !engine.family().labels().contains(label))
            .findFirst()
            .orElse(null);
    if (own != null && drops(aggregate, own)) {
      scene.report(
          LintRule.ROUTER_COPY,
          Severity.HINT,
          aggregate.span(),
          "%s exposes %s for each engine as well: where both are scraped this counts twice; add"
                  .formatted(title(scene, router.family().dialect()), Scene.nameOf(selector))
              + " {"
              + own
              + "=\"\"}");
    }
  }

  private static String title(Scene scene, String dialect) {
    Dialects.Profile profile = scene.world().profiles().get(dialect);
    return profile == null ? dialect : profile.title();
  }

  /** A matcher that leaves only targets of one kind. */
  private static boolean hasOwnMatcher(Expr.VectorSelector selector) {
    return selector.matchers().stream().anyMatch(m -> !m.name().equals("__name__"));
  }

  private static @Nullable Match ofKind(
      Scene scene, Expr.VectorSelector selector, ServiceKind kind) {
    for (Match match : scene.matches(selector)) {
      Dialects.Profile profile = scene.world().profiles().get(match.family().dialect());
      if (profile != null && profile.kind() == kind) {
        return match;
      }
    }
    return null;
  }
}
