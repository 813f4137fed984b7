package org.inferometer.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the queries of rule files, Kubernetes objects with rules or autoscalers in them, adapter
 * configurations and Helm values, wherever they stand in the document.
 */
final class ManifestReader {
  /** A name that a selector on {@code __name__} leaves no choice about. */
  private static final Pattern ONE_NAME =
      Pattern.compile("\\{\\s*__name__\\s*=~?\\s*[\"']\\^?([a-zA-Z_:][\\w:]*)\\$?[\"']\\s*\\}");

  private static final Pattern ADAPTER_WORD = Pattern.compile("<<\\s*\\.(\\w+)\\s*>>");

  private final LintDocument document;
  private final Consumer<MappedText> embedded;

  /**
   * @param embedded reads a document that stands as text in this one
   */
  ManifestReader(LintDocument document, Consumer<MappedText> embedded) {
    this.document = document;
    this.embedded = embedded;
  }

  void read(Node root) {
    if (root.at("tests") instanceof Node.Listing && root.at("groups") == null) {
      unitTests(root);
    } else {
      if (root.at("scrape_configs") != null) {
        configuration(root);
      }
      walk(root);
    }
  }

  private void unitTests(Node root) {
    List<String> files = new ArrayList<>();
    root.items("rule_files").stream()
        .filter(Node.Scalar.class::isInstance)
        .forEach(file -> files.add(((Node.Scalar) file).text()));
    document.note(
        "unit tests of rules: not read; the rules are in "
            + (files.isEmpty() ? "no file" : String.join(", ", files)));
  }

  private void configuration(Node root) {
    String interval = root.text("global", "scrape_interval");
    document.scrapeInterval(interval.isEmpty() ? "1m" : interval);
    document.note("a Prometheus configuration: its scrape interval is used, it has no queries");
  }

  private void walk(Node node) {
    switch (node) {
      case Node.Mapping mapping -> mapping(mapping);
      case Node.Listing list -> list.items().forEach(this::walk);
      case Node.Scalar scalar -> {
        if (holdsDocument(scalar.text())) {
          embedded.accept(scalar.value());
        }
      }
    }
  }

  private void mapping(Node.Mapping mapping) {
    Node.Scalar expr = mapping.scalar("expr");
    if (expr != null && mapping.get("alert") != null) {
      alert(mapping, mapping.text("alert"), expr);
    } else if (expr != null && mapping.get("record") != null) {
      record(mapping, expr);
    } else if (mapping.get("seriesQuery") != null) {
      adapter(mapping);
    } else if (mapping.get("condition") != null && mapping.get("data") instanceof Node.Listing) {
      managedAlert(mapping);
    } else {
      switch (mapping.text("kind")) {
        case "HorizontalPodAutoscaler" -> podAutoscaler(mapping);
        case "ScaledObject", "ScaledJob" -> scaledObject(mapping);
        default -> mapping.entries().forEach(entry -> walk(entry.value()));
      }
    }
  }

  private static boolean holdsDocument(String text) {
    String start = text.stripLeading();
    return (text.indexOf('\n') >= 0 || start.startsWith("{"))
        && (start.startsWith("{")
            ? text.contains("\"panels\"") || text.contains("\"rows\"") || text.contains("\"expr\"")
            : text.contains("groups:")
                || text.contains("seriesQuery:")
                || text.contains("scrape_configs:"));
  }

  private void alert(Node.Mapping rule, String name, Node.Scalar expr) {
    List<String> texts = new ArrayList<>(List.of(name));
    for (String key : List.of("summary", "title", "description", "message")) {
      String text = rule.text("annotations", key);
      if (!text.isEmpty()) {
        texts.add(text);
      }
    }
    Node.Scalar holds = rule.scalar("for");
    document.add(
        new LintQuery(
            LintQuery.Kind.ALERT,
            name,
            expr.value(),
            Variables.NONE,
            texts,
            "",
            "",
            holds == null ? null : holds.text(),
            null));
  }

  /** A rule that Grafana keeps; its threshold stands elsewhere. */
  private void managedAlert(Node.Mapping rule) {
    for (Node item : rule.items("data")) {
      Node.Scalar expr = item.scalar("model", "expr");
      if (expr != null) {
        alert(rule, rule.text("title"), expr);
      }
    }
  }

  private void record(Node.Mapping rule, Node.Scalar expr) {
    document.record(rule.text("record"));
    document.add(LintQuery.of(LintQuery.Kind.RECORD, rule.text("record"), expr.value()));
  }

  private void adapter(Node.Mapping rule) {
    Node.Scalar series = rule.scalar("seriesQuery");
    String as = rule.text("name", "as");
    if (series == null) {
      return;
    }
    Matcher one = ONE_NAME.matcher(series.text());
    boolean named = one.matches();
    MappedText selector = named ? series.value().part(one.start(1), one.end(1)) : series.value();
    String name = as.isEmpty() || as.contains("$") ? selector.text() : as;
    document.record(as.isEmpty() ? selector.text() : as);
    document.add(LintQuery.of(LintQuery.Kind.SERIES, name, selector));
    Node.Scalar query = rule.scalar("metricsQuery");
    if (query != null) {
      String metric = named ? one.group(1) : Variables.UNKNOWN + "series";
      document.add(LintQuery.of(LintQuery.Kind.SCALER, name, filled(query.value(), metric)));
    }
  }

  private static MappedText filled(MappedText query, String metric) {
    MappedText.Builder out = new MappedText.Builder(query);
    Matcher word = ADAPTER_WORD.matcher(query.text());
    int done = 0;
    while (word.find()) {
      out.copy(done, word.start());
      String filling =
          switch (word.group(1)) {
            case "Series" -> metric;
            case "LabelMatchers" -> Variables.UNKNOWN + "l=\"x\"";
            default -> "namespace";
          };
      out.add(filling, word.start());
      done = word.end();
    }
    return out.copy(done, query.text().length()).build(query.text().length());
  }

  private void podAutoscaler(Node.Mapping object) {
    for (Node metric : object.items("spec", "metrics")) {
      for (String kind : List.of("pods", "object", "external")) {
        Node.Scalar name = metric.scalar(kind, "metric", "name");
        name = name == null ? metric.scalar(kind, "metricName") : name;
        if (name != null) {
          document.add(
              LintQuery.of(LintQuery.Kind.NAME, object.text("metadata", "name"), name.value()));
        }
      }
    }
  }

  private void scaledObject(Node.Mapping object) {
    String name = object.text("metadata", "name");
    for (Node trigger : object.items("spec", "triggers")) {
      Node.Scalar query = trigger.scalar("metadata", "query");
      if (query != null && trigger.text("type").equals("prometheus")) {
        document.add(
            new LintQuery(
                LintQuery.Kind.SCALER,
                name,
                query.value(),
                Variables.NONE,
                List.of(name),
                "",
                "",
                null,
                number(trigger.text("metadata", "threshold"))));
      }
    }
  }

  private static @Nullable Double number(String text) {
    try {
      return Double.valueOf(text.strip());
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
