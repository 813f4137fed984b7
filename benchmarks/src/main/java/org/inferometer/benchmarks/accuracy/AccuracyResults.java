package org.inferometer.benchmarks.accuracy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The comparisons as data: what the page is made from, and what a later run is held against. */
final class AccuracyResults {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private AccuracyResults() {}

  static void write(Path file, List<Comparison> comparisons) throws IOException {
    ArrayNode cases = JSON.createArrayNode();
    for (Comparison comparison : comparisons) {
      ObjectNode one = cases.addObject();
      one.put("case", comparison.of().id());
      ArrayNode rows = one.putArray("rows");
      for (Comparison.Row row : comparison.rows()) {
        rows.addObject()
            .put("run", row.run())
            .put("figure", row.figure().name())
            .put("relative", row.relative())
            .put("published", row.published())
            .put("simulated", rounded(row.simulated()));
      }
    }
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, JSON.writeValueAsString(cases) + "\n");
  }

  /** To six digits: more would only make noise of a difference. */
  private static double rounded(double value) {
    return Double.parseDouble(String.format(java.util.Locale.ROOT, "%.5e", value));
  }

  /** The rows of a case; none if it wasn't run. */
  static List<Comparison.Row> read(Path file, String id) throws IOException {
    List<Comparison.Row> rows = new ArrayList<>();
    for (JsonNode one : JSON.readTree(Files.readString(file))) {
      if (one.path("case").asText().equals(id)) {
        for (JsonNode row : one.path("rows")) {
          rows.add(
              new Comparison.Row(
                  row.path("run").asText(),
                  Figure.valueOf(row.path("figure").asText()),
                  row.path("relative").asBoolean(),
                  row.path("published").asDouble(),
                  row.path("simulated").asDouble()));
        }
      }
    }
    return rows;
  }
}
