package org.inferometer.lint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the queries of Grafana dashboards of any schema: rows with panels in them, panels in rows,
 * elements, library panels, variables, annotations.
 */
final class DashboardReader {
  private static final Set<String> MARKS =
      Set.of("panels", "rows", "templating", "elements", "__elements");

  /** What is read on its own, or has no queries in it. */
  private static final Set<String> APART =
      Set.of("templating", "variables", "annotations", "__inputs", "__requires", "fieldConfig");

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)\\}?");

  private static final Pattern LABEL_VALUES =
      Pattern.compile("\\s*label_values\\s*\\((.*),[^,()]*\\)\\s*", Pattern.DOTALL);

  private static final Pattern QUERY_RESULT =
      Pattern.compile("\\s*query_result\\s*\\((.*)\\)\\s*", Pattern.DOTALL);

  private final LintDocument document;
  private final Map<String, String> values = new HashMap<>();

  /** Plugin ids by the names of inputs and variables that stand for a data source. */
  private final Map<String, String> sources = new HashMap<>();

  DashboardReader(LintDocument document) {
    this.document = document;
  }

  /** What a query inherits from the panel around it. */
  private record Panel(String title, String source, String unit, String minStep) {}

  /** The dashboards in a document, which may be wrapped. */
  static List<Node> dashboards(Node root) {
    List<Node> found = new ArrayList<>();
    collect(root, found, 0);
    return found;
  }

  private static void collect(Node node, List<Node> found, int depth) {
    switch (node) {
      case Node.Mapping mapping when isDashboard(mapping) -> found.add(mapping);
      case Node.Mapping mapping when depth < 4 ->
          mapping.entries().forEach(entry -> collect(entry.value(), found, depth + 1));
      case Node.Listing list when depth < 4 ->
          list.items().forEach(item -> collect(item, found, depth + 1));
      case Node.Mapping _, Node.Listing _, Node.Scalar _ -> {}
    }
  }

  private static boolean isDashboard(Node.Mapping mapping) {
    boolean marked =
        mapping.entries().stream()
            .anyMatch(e -> MARKS.contains(e.key()) && !(e.value() instanceof Node.Scalar));
    boolean perses = mapping.at("panels") instanceof Node.Mapping;
    return marked && !perses && (mapping.get("title") != null || mapping.get("panels") != null);
  }

  void read(Node board) {
    String title = board.text("title");
    inputs(board);
    List<Node> variables = new ArrayList<>(board.items("templating", "list"));
    variables.addAll(board.items("variables"));
    variables.forEach(this::variable);
    variables.forEach(this::variableQuery);
    for (Node annotation : board.items("annotations", "list")) {
      walk(
          annotation,
          new Panel(annotation.text("name"), source(annotation, ""), "", ""),
          LintQuery.Kind.ANNOTATION);
    }
    children(board, new Panel(title, "", "", ""), LintQuery.Kind.PANEL);
  }

  private void inputs(Node board) {
    for (Node input : board.items("__inputs")) {
      if (input.text("type").equals("datasource")) {
        sources.put(input.text("name"), input.text("pluginId"));
      }
    }
  }

  private void variable(Node node) {
    Node spec = node.at("spec") == null ? node : node.at("spec");
    if (spec == null) {
      return;
    }
    String name = spec.text("name");
    String type = spec.text("type").isEmpty() ? node.text("kind") : spec.text("type");
    if (type.equalsIgnoreCase("datasource") || type.equals("DatasourceVariable")) {
      sources.put(name, spec.text("pluginId").isEmpty() ? queryText(spec) : spec.text("pluginId"));
    } else if (!type.equals("query") && !type.equals("QueryVariable")) {
      values.put(name, value(spec));
    }
  }

  private static String value(Node spec) {
    String current = spec.text("current", "value");
    List<Node> several = spec.items("current", "value");
    if (current.isEmpty() && !several.isEmpty() && several.getFirst() instanceof Node.Scalar one) {
      current = one.text();
    }
    if (!current.isEmpty() && !current.startsWith("$")) {
      return current;
    }
    String first = queryText(spec).split(",", 2)[0];
    return first.substring(first.indexOf(" : ") < 0 ? 0 : first.indexOf(" : ") + 3).strip();
  }

  private static String queryText(Node spec) {
    Node.Scalar query = query(spec);
    return query == null ? "" : query.text();
  }

  private static Node.@Nullable Scalar query(Node spec) {
    for (String[] path :
        List.of(
            new String[] {"query"},
            new String[] {"query", "query"},
            new String[] {"query", "spec", "query"},
            new String[] {"definition"})) {
      Node.Scalar found = spec.scalar(path);
      if (found != null && !found.text().isBlank()) {
        return found;
      }
    }
    return null;
  }

  private void variableQuery(Node node) {
    Node spec = node.at("spec") == null ? node : node.at("spec");
    if (spec == null || !isPrometheus(source(spec, ""))) {
      return;
    }
    Node.Scalar query = query(spec);
    if (query == null) {
      return;
    }
    for (Pattern form : List.of(LABEL_VALUES, QUERY_RESULT)) {
      Matcher matcher = form.matcher(query.text());
      if (matcher.matches()) {
        MappedText inner = query.value().part(matcher.start(1), matcher.end(1));
        document.add(
            LintQuery.of(LintQuery.Kind.VARIABLE, spec.text("name"), inner).with(variables()));
        return;
      }
    }
  }

  private Variables variables() {
    return new Variables(values);
  }

  private void walk(Node node, Panel panel, LintQuery.Kind kind) {
    switch (node) {
      case Node.Mapping mapping -> {
        Panel own = panel(mapping, panel);
        Node.Scalar expr = mapping.scalar("expr");
        if (expr != null) {
          query(mapping, expr, own, kind);
        }
        children(mapping, own, kind);
      }
      case Node.Listing list -> list.items().forEach(item -> walk(item, panel, kind));
      case Node.Scalar _ -> {}
    }
  }

  private void children(Node node, Panel panel, LintQuery.Kind kind) {
    if (node instanceof Node.Mapping mapping) {
      for (Node.Entry entry : mapping.entries()) {
        if (!APART.contains(entry.key())) {
          walk(entry.value(), panel, kind);
        }
      }
    }
  }

  private Panel panel(Node.Mapping mapping, Panel around) {
    String title = mapping.text("title");
    boolean isPanel = mapping.get("targets") != null || mapping.get("vizConfig") != null;
    if (mapping.get("libraryPanel") != null && mapping.get("targets") == null) {
      document.note(
          "the library panel \""
              + mapping.text("libraryPanel", "name")
              + "\" is kept in Grafana: its queries weren't seen");
    }
    return new Panel(
        title.isEmpty() ? around.title() : title,
        source(mapping, around.source()),
        isPanel ? unit(mapping) : around.unit(),
        isPanel || !mapping.text("interval").isEmpty()
            ? mapping.text("interval")
            : around.minStep());
  }

  /** The unit of a panel whose series are all shown in one. */
  private static String unit(Node.Mapping panel) {
    Node viz = panel.at("vizConfig", "spec") == null ? panel : panel.at("vizConfig", "spec");
    if (viz == null || !viz.items("fieldConfig", "overrides").isEmpty()) {
      return "";
    }
    String unit = viz.text("fieldConfig", "defaults", "unit");
    if (unit.isEmpty() && !viz.items("yaxes").isEmpty()) {
      unit = viz.items("yaxes").getFirst().text("format");
    }
    return unit.isEmpty() ? viz.text("format") : unit;
  }

  private void query(Node.Mapping target, Node.Scalar expr, Panel panel, LintQuery.Kind kind) {
    if (!isPrometheus(panel.source())) {
      document.otherLanguage(panel.source());
      return;
    }
    List<String> texts = new ArrayList<>(List.of(panel.title()));
    String legend = target.text("legendFormat");
    if (!legend.isEmpty()) {
      texts.add(legend);
    }
    document.add(
        new LintQuery(
            kind,
            panel.title(),
            expr.value(),
            variables(),
            texts,
            panel.unit(),
            panel.minStep(),
            null,
            null));
  }

  /** The plugin id of a data source, "" if it isn't known. */
  private String source(Node node, String around) {
    Node source = node.at("datasource");
    if (source instanceof Node.Scalar named) {
      return named.text().isEmpty() || named.text().equals("null")
          ? around
          : resolved(named.text(), around);
    }
    if (source instanceof Node.Mapping mapping) {
      String type = mapping.text("type");
      return type.isEmpty() || type.equals("datasource") ? resolved(mapping.text("uid"), "") : type;
    }
    String group = node.text("query", "group");
    return group.isEmpty() ? around : group;
  }

  private String resolved(String name, String around) {
    Matcher variable = VARIABLE.matcher(name);
    return variable.matches() ? sources.getOrDefault(variable.group(1), around) : "";
  }

  private static boolean isPrometheus(String type) {
    return type.isEmpty()
        || type.contains("prometheus")
        || type.contains("victoriametrics")
        || type.contains("mimir")
        || type.contains("thanos");
  }
}
