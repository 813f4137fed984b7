package org.inferometer.lint;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the queries of a Perses dashboard. */
final class PersesReader {
  private final LintDocument document;

  PersesReader(LintDocument document) {
    this.document = document;
  }

  void read(Node root) {
    for (Node variable : root.items("spec", "variables")) {
      variable(variable);
    }
    if (root.at("spec", "panels") instanceof Node.Mapping panels) {
      panels.entries().forEach(entry -> panel(entry.value()));
    }
  }

  private void variable(Node variable) {
    String name = variable.text("spec", "name");
    Node plugin = variable.at("spec", "plugin", "spec");
    if (plugin == null) {
      return;
    }
    for (Node matcher : plugin.items("matchers")) {
      if (matcher instanceof Node.Scalar scalar) {
        add(LintQuery.Kind.VARIABLE, name, scalar, "", "");
      }
    }
    Node.Scalar expr = plugin.scalar("expr");
    if (expr != null) {
      add(LintQuery.Kind.VARIABLE, name, expr, "", "");
    }
  }

  private void panel(Node panel) {
    String title = panel.text("spec", "display", "name");
    Node chart = panel.at("spec", "plugin", "spec");
    for (Node query : panel.items("spec", "queries")) {
      Node plugin = query.at("spec", "plugin");
      Node.Scalar expr = plugin == null ? null : plugin.scalar("spec", "query");
      if (plugin != null && expr != null) {
        if (plugin.text("kind").startsWith("Prometheus")) {
          add(LintQuery.Kind.PANEL, title, expr, unit(chart), plugin.text("spec", "minStep"));
        } else {
          document.otherLanguage(plugin.text("kind"));
        }
      }
    }
  }

  /** In Grafana's words. */
  private static String unit(@Nullable Node chart) {
    if (chart == null) {
      return "";
    }
    String unit = chart.text("format", "unit") + chart.text("yAxis", "format", "unit");
    return Map.of(
            "percent-decimal", "percentunit",
            "percent", "percent",
            "seconds", "s",
            "milliseconds", "ms",
            "microseconds", "µs",
            "bytes", "bytes")
        .getOrDefault(unit, "");
  }

  private void add(
      LintQuery.Kind kind, String name, Node.Scalar expr, String unit, String minStep) {
    document.add(
        new LintQuery(
            kind, name, expr.value(), Variables.NONE, List.of(name), unit, minStep, null, null));
  }
}
