package org.inferometer.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.promql.Expr;
import org.inferometer.promql.Span;
import org.inferometer.signals.Families;
import org.inferometer.signals.Families.Match;
import org.inferometer.signals.Family;
import org.jspecify.annotations.Nullable;

/** Metric names: unknown, renamed, removed, without {@code _total}, or without series now. */
final class NameRule implements ExprRules.ExprRule {
  @Override
  public void check(Scene scene) {
    for (Expr.VectorSelector selector : scene.nodes(Expr.VectorSelector.class)) {
      String name = Scene.nameOf(selector);
      if (!name.isEmpty() && !name.contains(Variables.UNKNOWN)) {
        check(scene, selector, name);
      }
    }
  }

  private static void check(Scene scene, Expr.VectorSelector selector, String name) {
    LiveNames live = scene.world().options().live();
    if (live != null && live.has(name)) {
      return;
    }
    Span span = selector.span();
    switch (scene.judged(selector)) {
      case MetricNames.Known known -> noSeries(scene, span, name, known.matches().getFirst());
      case MetricNames.Recorded _ -> {}
      case MetricNames.Foreign _ -> noSeries(scene, span, name, null);
      case MetricNames.Removed removed -> removed(scene, selector, name, removed);
      case MetricNames.Mistaken(Families.Mistake mistake) ->
          scene.report(LintRule.UNKNOWN_METRIC, Severity.ERROR, span, mistaken(name, mistake));
      case MetricNames.WithoutTotal without -> withoutTotal(scene, selector, name, without);
      case MetricNames.WholeHistogram _ -> {}
      case MetricNames.WithoutBuckets _ -> {}
      case MetricNames.Escaped escaped -> escaped(scene, span, name, escaped.known());
      case MetricNames.Unknown unknown -> unknown(scene, span, name, unknown);
    }
  }

  private static void escaped(Scene scene, Span span, String name, String listed) {
    // Adapters offer names to autoscalers in other words than the series have.
    if (scene.query().kind() != LintQuery.Kind.NAME) {
      scene.report(
          LintRule.UNKNOWN_METRIC,
          Severity.HINT,
          span,
          "the name is %s; %s is seen only where something on the way replaces colons"
              .formatted(listed, name));
    }
  }

  private static String mistaken(String name, Families.Mistake mistake) {
    String means = mistake.means();
    String says = withoutStop(mistake.says());
    return "%s doesn't exist. %s%s"
        .formatted(
            name, says, means == null || says.contains(means) ? "" : ". The metric is " + means);
  }

  private static String withoutStop(String sentence) {
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }

  private static void unknown(Scene scene, Span span, String name, MetricNames.Unknown unknown) {
    String near = unknown.near() == null ? "" : "; did you mean " + unknown.near() + "?";
    Severity severity =
        unknown.isTypo()
            ? Severity.ERROR
            : unknown.namespace().open() ? Severity.HINT : Severity.WARNING;
    scene.report(
        LintRule.UNKNOWN_METRIC,
        severity,
        span,
        "no known release of %s has %s%s".formatted(unknown.namespace().title(), name, near));
  }

  private static void removed(
      Scene scene, Expr.VectorSelector selector, String name, MetricNames.Removed removed) {
    Match match = removed.own().getFirst();
    String successor = scene.world().names().successor(match);
    boolean same =
        successor != null
            && removed.borrowers().isEmpty()
            && name.equals(MetricNames.sample(match))
            && scene.world().names().isSame(match, successor);
    scene.report(
        LintRule.REMOVED_METRIC,
        Severity.WARNING,
        selector.span(),
        name + " " + gone(scene, match.family(), successor) + borrowed(scene, removed.borrowers()),
        edits(same ? rename(scene, selector, name, String.valueOf(successor)) : null));
  }

  private static String borrowed(Scene scene, List<Match> borrowers) {
    if (borrowers.isEmpty()) {
      return "";
    }
    List<String> titles =
        borrowers.stream().map(m -> title(scene, m.family().dialect())).distinct().toList();
    return ". Only "
        + String.join(" and ", titles)
        + (titles.size() == 1 ? " still has it" : " still have it");
  }

  private static String gone(Scene scene, Family family, @Nullable String successor) {
    String title = title(scene, family.dialect());
    String last = family.last();
    String until = last == null ? "is gone" : "is gone from " + title + " after " + last;
    if (successor == null) {
      return until + (family.note() == null ? "" : ". " + withoutStop(family.note()));
    }
    boolean same =
        scene.world().names().find(successor).stream()
            .anyMatch(m -> m.family().type() == family.type());
    return until
        + (same ? "; it is now " : "; in its place there is a metric of another type, ")
        + successor
        + since(scene, successor);
  }

  private static String since(Scene scene, String name) {
    for (Match match : scene.world().names().find(name)) {
      if (match.family().since() != null) {
        return ", since " + match.family().since();
      }
    }
    return "";
  }

  private static String title(Scene scene, String dialect) {
    Map<String, Dialects.Profile> profiles = scene.world().profiles();
    Dialects.Profile profile = profiles.get(dialect);
    return profile == null ? dialect : profile.title();
  }

  private static void withoutTotal(
      Scene scene, Expr.VectorSelector selector, String name, MetricNames.WithoutTotal without) {
    Match match = without.matches().getFirst();
    String target = without.exposed();
    boolean certain = true;
    String more = "";
    if (without.matches().stream().noneMatch(m -> m.family().isCurrent())) {
      String successor = scene.world().names().successor(match);
      more = ", which " + gone(scene, match.family(), successor);
      certain = successor != null && scene.world().names().isSame(match, successor);
      target = successor == null ? target : successor;
    }
    scene.report(
        LintRule.COUNTER_WITHOUT_TOTAL,
        Severity.ERROR,
        selector.span(),
        "%s matches nothing: the counter is exposed as %s%s"
            .formatted(name, without.exposed(), more),
        edits(certain ? rename(scene, selector, name, target) : null));
  }

  private static Edit[] edits(@Nullable Edit edit) {
    return edit == null ? new Edit[0] : new Edit[] {edit};
  }

  /** Writes another name where the selector begins with the old one. */
  private static @Nullable Edit rename(
      Scene scene, Expr.VectorSelector selector, String name, String other) {
    int start = scene.start(selector.span());
    return scene.text().startsWith(name, start)
        ? scene.edit(start, start + name.length(), other)
        : null;
  }

  private static void noSeries(Scene scene, Span span, String name, @Nullable Match match) {
    LiveNames live = scene.world().options().live();
    if (live == null || scene.query().kind() == LintQuery.Kind.NAME) {
      return;
    }
    List<String> known = new ArrayList<>();
    if (match != null) {
      known.add("the metric exists in " + title(scene, match.family().dialect()));
      if (match.family().since() != null) {
        known.add("since " + match.family().since());
      }
      if (match.family().enable() != null) {
        known.add("if set: " + match.family().enable());
      }
    }
    Severity severity =
        live.complete()
            ? Severity.ERROR
            : live.hasNamespaceOf(name) ? Severity.WARNING : Severity.HINT;
    scene.report(
        LintRule.NO_SERIES,
        severity,
        span,
        "no series now: %s has no %s%s"
            .formatted(
                live.described(), name, known.isEmpty() ? "" : "; " + String.join(", ", known)));
  }
}
