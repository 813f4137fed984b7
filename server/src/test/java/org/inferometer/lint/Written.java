package org.inferometer.lint;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.inferometer.signals.Catalogue;

/** Files that tests write, and what is found in them. */
final class Written {
  static final Linter LINTER = new Linter(Catalogue.builtIn());

  private Written() {}

  static LintFile file(String name, String text) {
    try {
      return LintFile.read(name, text.getBytes(StandardCharsets.UTF_8));
    } catch (LintFileException e) {
      throw new AssertionError(e);
    }
  }

  static List<Finding> findings(String name, String text, LintOptions options) {
    return LINTER.lint(List.of(file(name, text)), options).files().getFirst().findings();
  }

  static List<Finding> findings(String name, String text) {
    return findings(name, text, LintOptions.offline());
  }

  /** What is found in an alert whose condition has to hold. */
  static List<Finding> alert(String expr) {
    return findings("rules.yml", alertFile("Some", expr, "      for: 5m\n"));
  }

  static String alertFile(String name, String expr, String more) {
    return "groups:\n- name: g\n  rules:\n    - alert: "
        + name
        + "\n      expr: '"
        + expr.replace("'", "''")
        + "'\n"
        + more;
  }

  /** What is found in a panel. */
  static List<Finding> panel(String title, String unit, String expr) {
    return findings("board.json", board(title, unit, expr));
  }

  static String board(String title, String unit, String expr) {
    return """
    {"title": "Board", "panels": [{"title": "%s", "type": "timeseries",
      "fieldConfig": {"defaults": {"unit": "%s"}, "overrides": []},
      "targets": [{"expr": "%s", "refId": "A"}]}]}
    """
        .formatted(title, unit, expr.replace("\\", "\\\\").replace("\"", "\\\""));
  }

  static List<LintRule> rules(List<Finding> findings) {
    return findings.stream().map(Finding::rule).toList();
  }
}
