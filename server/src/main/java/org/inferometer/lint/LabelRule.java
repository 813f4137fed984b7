package org.inferometer.lint;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.inferometer.model.Matcher;
import org.inferometer.promql.Expr;
import org.inferometer.promql.Span;
import org.inferometer.signals.EditDistance;
import org.inferometer.signals.Families.Match;
import org.inferometer.signals.Families.Part;
import org.inferometer.signals.Family;
import org.jspecify.annotations.Nullable;

/**
 * Labels that a metric doesn't have. Any label may be added on the way, so only those are told that
 * are misspelt, or that other metrics of the same engine have, and edges of buckets in other words.
 */
final class LabelRule implements ExprRules.ExprRule {
  /** Labels that targets bring, whatever they expose. */
  private static final Set<String> OF_TARGETS =
      Set.of(
          "job",
          "instance",
          "namespace",
          "pod",
          "node",
          "cluster",
          "service",
          "container",
          "endpoint",
          "model",
          "app",
          "env",
          "environment",
          "region",
          "zone",
          "host",
          "hostname",
          "server",
          "replica",
          "release",
          "team",
          "tenant",
          "name",
          "id",
          "uid",
          "device",
          "role",
          "component",
          "deployment",
          "workload",
          "prometheus",
          "__name__",
          "kubernetes_node",
          "worker",
          "type",
          "state",
          "status",
          "phase",
          "reason",
          "mode",
          "pool",
          "backend");

  @Override
  public void check(Scene scene) {
    for (Expr.VectorSelector selector : scene.nodes(Expr.VectorSelector.class)) {
      List<Match> matches = scene.matches(selector);
      for (Matcher matcher : selector.matchers()) {
        if (!matches.isEmpty()) {
          label(scene, selector.span(), matcher.name(), matches, "the matcher");
        }
        edge(scene, selector, matcher, matches);
      }
    }
    scene.nodes(Expr.Aggregate.class).forEach(aggregate -> grouping(scene, aggregate));
  }

  /** The labels that series must have to be selected, but for those that any target may bring. */
  static Set<String> required(Expr.VectorSelector selector) {
    Set<String> required = new HashSet<>();
    for (Matcher matcher : selector.matchers()) {
      if (!matcher.matchesEmpty() && !isOfTargets(matcher.name()) && !matcher.name().equals("le")) {
        required.add(matcher.name());
      }
    }
    return required;
  }

  private static boolean isOfTargets(String label) {
    return OF_TARGETS.contains(label)
        || label.startsWith("exported_")
        || label.startsWith("__")
        || label.contains(Variables.UNKNOWN);
  }

  private static void grouping(Scene scene, Expr.Aggregate aggregate) {
    List<Expr.VectorSelector> selectors = aggregate.selectors();
    if (selectors.size() != 1 || !isDirect(scene, selectors.getFirst(), aggregate)) {
      return;
    }
    List<Match> matches = scene.matches(selectors.getFirst());
    if (!matches.isEmpty()) {
      aggregate.grouping().stream()
          .filter(label -> !label.equals("le") || !aggregate.without())
          .forEach(label -> label(scene, aggregate.span(), label, matches, "the grouping"));
    }
  }

  /** Whether nothing in between makes labels or takes them away. */
  private static boolean isDirect(
      Scene scene, Expr.VectorSelector selector, Expr.Aggregate aggregate) {
    return scene.between(selector, aggregate).stream()
        .noneMatch(
            up ->
                up instanceof Expr.Aggregate
                    || (up instanceof Expr.Call call
                        && call.function().name().startsWith("label_")));
  }

  private static void label(
      Scene scene, Span span, String label, List<Match> matches, String where) {
    if (isOfTargets(label)) {
      return;
    }
    if (label.equals("le")) {
      edgeOfNone(scene, span, matches, where);
      return;
    }
    Set<String> has = new HashSet<>();
    matches.forEach(match -> has.addAll(match.family().labels()));
    if (!has.isEmpty() && !has.contains(label)) {
      missing(scene, span, label, has, matches, where);
    }
  }

  private static void missing(
      Scene scene, Span span, String label, Set<String> has, List<Match> matches, String where) {
    Family family = matches.getFirst().family();
    String near = near(label, has);
    String sibling = near == null ? sibling(scene, label, matches) : null;
    if (near == null && sibling == null) {
      return;
    }
    scene.report(
        LintRule.UNKNOWN_LABEL,
        Severity.WARNING,
        span,
        near != null
            ? "%s names %s, which %s doesn't have: the label is %s"
                .formatted(where, label, family.name(), near)
            : "%s names %s, which %s doesn't have (%s does)"
                .formatted(where, label, family.name(), sibling));
  }

  private static @Nullable String near(String label, Set<String> has) {
    String lower = label.toLowerCase(Locale.ROOT);
    return has.stream()
        .filter(
            one ->
                one.length() >= 5 && EditDistance.of(lower, one.toLowerCase(Locale.ROOT), 2) <= 2)
        .sorted()
        .findFirst()
        .orElse(null);
  }

  /** A metric of the same engine that has a label, null if none has. */
  private static @Nullable String sibling(Scene scene, String label, List<Match> matches) {
    Set<String> dialects = new HashSet<>();
    matches.forEach(match -> dialects.add(match.family().dialect()));
    for (Family other : scene.world().names().all()) {
      if (dialects.contains(other.dialect())
          && other.isCurrent()
          && other.labels().contains(label)) {
        return other.name();
      }
    }
    return null;
  }

  private static void edgeOfNone(Scene scene, Span span, List<Match> matches, String where) {
    Match match = matches.getFirst();
    boolean classic =
        matches.stream()
            .noneMatch(m -> m.part() == Part.BUCKET || m.family().labels().contains("le"));
    if (classic && match.part() != Part.VALUE) {
      scene.report(
          LintRule.UNKNOWN_LABEL,
          Severity.WARNING,
          span,
          "%s names le, which only %s_bucket has".formatted(where, match.family().name()));
    }
  }

  private static void edge(
      Scene scene, Expr.VectorSelector selector, Matcher matcher, List<Match> matches) {
    String value = matcher.value();
    if (!matcher.name().equals("le")
        || matcher.type() != Matcher.Type.EQUAL
        || !value.matches("[0-9]{1,9}")) {
      return;
    }
    boolean pointed =
        matches.stream().anyMatch(m -> scene.world().facts().pointsLe(m.family().dialect()));
    scene.report(
        LintRule.LE_TEXT,
        pointed ? Severity.WARNING : Severity.HINT,
        selector.span(),
        "le=\"%s\" is compared as text, and %s writes \"%s.0\": use le=~\"%s(\\.0)?\""
            .formatted(value, pointed ? "the engine" : "Prometheus 3", value, value));
  }
}
