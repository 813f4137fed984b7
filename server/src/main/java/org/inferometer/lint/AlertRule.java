package org.inferometer.lint;

import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;

/** Alerts: how long their condition has to hold, and what their silence means. */
final class AlertRule implements ExprRules.ExprRule {
  @Override
  public void check(Scene scene) {
    if (scene.query().kind() != LintQuery.Kind.ALERT) {
      return;
    }
    if (scene.query().holds() == null
        && !scene.root().selectors().isEmpty()
        && !looksBack(scene)
        && !onlyRises(scene)) {
      scene.report(
          LintRule.ALERT_WITHOUT_FOR,
          Severity.WARNING,
          scene.root().span(),
          "without \"for\" the alert fires at the first sample that crosses the threshold; say how"
              + " long it has to hold, or \"for: 0s\" if that is meant");
    }
    for (Expr.Call call : scene.nodes(Expr.Call.class)) {
      if (call.function().name().startsWith("absent")) {
        absent(scene, call);
      }
    }
  }

  /** Whether the expression itself looks over a stretch of time, or asks for an event. */
  private static boolean looksBack(Scene scene) {
    return scene.nodes(Expr.Call.class).stream()
        .map(call -> call.function().name())
        .anyMatch(
            name ->
                name.endsWith("_over_time")
                    || name.equals("increase")
                    || name.equals("changes")
                    || name.equals("resets")
                    || name.equals("predict_linear"));
  }

  /** Whether only counters are compared as they are: once over a threshold they stay there. */
  private static boolean onlyRises(Scene scene) {
    return scene.root().selectors().stream()
            .allMatch(selector -> scene.meaning(selector).form() == Meaning.Form.COUNTER)
        && scene.nodes(Expr.Call.class).isEmpty();
  }

  private static void absent(Scene scene, Expr.Call call) {
    boolean guarded =
        scene.around(call).stream()
            .anyMatch(up -> up instanceof Expr.Binary binary && binary.op() == BinaryOp.AND);
    for (Expr.VectorSelector selector : call.selectors()) {
      String flag = scene.world().facts().flagThatHides(Scene.nameOf(selector));
      if (flag != null && !guarded && !scene.matches(selector).isEmpty()) {
        scene.report(
            LintRule.ABSENT_BLIND,
            Severity.HINT,
            call.span(),
            "%s takes %s away: the alert then fires for ever; add \"and on (job) up == 1\" to tell"
                    .formatted(flag, Scene.nameOf(selector))
                + " the two apart");
      }
    }
  }
}
