package org.inferometer.lint;

import java.util.Set;
import org.inferometer.promql.DurationExpr;
import org.inferometer.promql.Expr;

/** Windows that are too short for the scrapes that fall into them. */
final class WindowRule implements ExprRules.ExprRule {
  private static final Set<String> NEED_SCRAPES =
      Set.of("rate", "increase", "delta", "deriv", "irate", "idelta");

  private static final Set<String> NEED_TWO = Set.of("irate", "idelta");

  private static final int SCRAPES = 4;

  @Override
  public void check(Scene scene) {
    for (Expr.MatrixSelector matrix : scene.nodes(Expr.MatrixSelector.class)) {
      if (scene.parent(matrix) instanceof Expr.Call call
          && NEED_SCRAPES.contains(call.function().name())) {
        window(scene, matrix, call.function().name());
      }
    }
  }

  private static void window(Scene scene, Expr.MatrixSelector matrix, String function) {
    LintOptions options = scene.world().options();
    String variable =
        scene.filled().variable(scene.end(matrix.selector().span()), scene.end(matrix.span()));
    long enoughMs = options.scrapeIntervalMs() * SCRAPES;
    if (variable != null) {
      if (variable.equals("__interval") && stepMs(scene) < enoughMs) {
        scene.report(
            LintRule.INTERVAL_WINDOW,
            Severity.WARNING,
            matrix.span(),
            "$__interval shrinks with the time range, below two scrapes %s() gives nothing: use"
                    .formatted(function)
                + " $__rate_interval");
      }
      return;
    }
    if (matrix.range() instanceof DurationExpr.Fixed fixed) {
      long needMs = NEED_TWO.contains(function) ? options.scrapeIntervalMs() * 2 : enoughMs;
      if (fixed.durationMs() < needMs) {
        tooShort(scene, matrix, fixed.durationMs(), options);
      }
    }
  }

  private static void tooShort(
      Scene scene, Expr.MatrixSelector matrix, long windowMs, LintOptions options) {
    String from = options.intervalKnownFrom();
    scene.report(
        LintRule.SHORT_WINDOW,
        Severity.WARNING,
        matrix.span(),
        "a window of %s holds %s at an interval of %s%s: take at least %s"
            .formatted(
                Spans.words(windowMs),
                scrapes(windowMs / options.scrapeIntervalMs()),
                Spans.words(options.scrapeIntervalMs()),
                from == null ? ", which is assumed" : " (" + from + ")",
                Spans.words(options.scrapeIntervalMs() * SCRAPES)));
  }

  private static String scrapes(long count) {
    return count == 0 ? "less than a scrape" : count == 1 ? "1 scrape" : count + " scrapes";
  }

  private static long stepMs(Scene scene) {
    String step = scene.query().minStep();
    return step.isEmpty() ? 0 : Spans.parseMs(step.startsWith(">") ? step.substring(1) : step);
  }
}
