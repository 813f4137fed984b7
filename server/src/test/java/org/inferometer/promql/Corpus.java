package org.inferometer.promql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.Shared;

/** Queries that others have written: scripts, rules, dashboards and documents. */
final class Corpus {
  /**
   * @param source file, and place in it where that isn't obvious
   */
  record Query(String source, String text) {}

  private static final Pattern EVAL =
      Pattern.compile(
          "eval(?:_\\w+)?\\s+(?:instant\\s+at\\s+\\S+|range\\s+from\\s+\\S+\\s+to\\s+\\S+"
              + "\\s+step\\s+\\S+)\\s+(.*)");

  private Corpus() {}

  static List<Query> all() throws IOException {
    List<Query> queries = new ArrayList<>();
    queries.addAll(scripts());
    queries.addAll(rules());
    queries.addAll(dashboards());
    queries.addAll(SeedQueries.read());
    return queries;
  }

  private static List<Path> files(String folder, String pattern) throws IOException {
    try (Stream<Path> files = Files.list(Shared.path(folder))) {
      return files.filter(f -> f.toString().matches(pattern)).sorted().toList();
    }
  }

  /** All expressions of the query scripts. */
  static List<Query> scripts() throws IOException {
    List<Query> queries = new ArrayList<>();
    for (Path file : files("promql/testdata", ".*\\.test")) {
      for (String line : Files.readAllLines(file)) {
        Matcher eval = EVAL.matcher(line.strip());
        if (eval.matches()) {
          queries.add(new Query(name(file), eval.group(1)));
        }
      }
    }
    return queries;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** The {@code expr} of all rule files, those inside of Kubernetes objects included. */
  static List<Query> rules() throws IOException {
    List<Query> queries = new ArrayList<>();
    for (Path file : files("fixtures/rules", ".*\\.ya?ml")) {
      String text = Files.readString(file);
      if (name(file).contains(".tpl.")) {
        // Helm's templates aren't YAML; what is in double braces stands for text.
        text = text.replaceAll("(?m)^\\s*\\{\\{.*}}\\s*$", "").replaceAll("\\{\\{[^}]*}}", "x");
      }
      yaml(name(file), text, queries);
    }
    return queries;
  }

  private static void yaml(String source, String text, List<Query> queries) throws IOException {
    ObjectMapper mapper = new ObjectMapper(new YAMLFactory());
    try (MappingIterator<JsonNode> documents = mapper.readerFor(JsonNode.class).readValues(text)) {
      while (documents.hasNext()) {
        exprs(source, documents.next(), queries);
      }
    }
  }

  private static void exprs(String source, JsonNode node, List<Query> queries) throws IOException {
    if (node.isTextual() && node.asText().startsWith("groups:")) {
      yaml(source, node.asText(), queries);
    }
    if (node.isObject() && node.path("expr").isValueNode()) {
      queries.add(new Query(source, withoutVariables(node.path("expr").asText())));
    }
    for (JsonNode child : node) {
      exprs(source, child, queries);
    }
  }

  /** The {@code expr} of all dashboards. */
  static List<Query> dashboards() throws IOException {
    List<Query> queries = new ArrayList<>();
    for (Path file : files("fixtures/dashboards", ".*\\.json")) {
      exprs(name(file), new ObjectMapper().readTree(file.toFile()), queries);
    }
    return queries;
  }

  /** Puts a plausible text in the place of each of Grafana's variables. */
  static String withoutVariables(String expr) {
    return expr.replaceAll("\\$\\{?__\\w+_m?s\\b}?", "300")
        .replaceAll("\\$\\{?__\\w+}?", "5m")
        .replaceAll("\\[\\s*\\$\\{?\\w+(?::\\w+)?}?\\s*(:?)", "[5m$1")
        .replaceAll("\\[\\[\\w+]]", "x")
        .replaceAll("(quantile|topk|bottomk)(\\(\\s*)\\$\\{?\\w+(?::\\w+)?}?", "$1$20.5")
        .replaceAll("\\$\\{\\w+(?::\\w+)?}", "x")
        .replaceAll("\\$(?=[a-zA-Z_])\\w+", "x");
  }
}
