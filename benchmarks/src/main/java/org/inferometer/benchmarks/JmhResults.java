package org.inferometer.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Puts what a run of some JMH benchmarks measured in the place of what was known of them, and keeps
 * what is known of the others.
 *
 * <p>Arguments: file of the run, file of all.
 */
public final class JmhResults {
  private JmhResults() {}

  public static void main(String[] args) throws IOException {
    ObjectMapper json = new ObjectMapper();
    Path all = Path.of(args[1]);
    Map<String, JsonNode> rows = new LinkedHashMap<>();
    if (Files.exists(all)) {
      add(json.readTree(all.toFile()), rows);
    }
    add(json.readTree(Path.of(args[0]).toFile()), rows);
    ArrayNode joined = json.createArrayNode();
    rows.values().forEach(joined::add);
    json.writerWithDefaultPrettyPrinter().writeValue(all.toFile(), joined);
  }

  private static void add(JsonNode run, Map<String, JsonNode> rows) {
    run.forEach(row -> rows.put(row.path("benchmark").asText() + " " + row.path("params"), row));
  }
}
