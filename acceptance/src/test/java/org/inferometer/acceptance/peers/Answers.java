package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What servers answer to queries, and whether two of them answer the same. */
final class Answers {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double TOLERANCE = 1e-9;

  private Answers() {}

  /** Labels to "time value" points. */
  private static Map<String, List<double[]>> result(String answer) throws IOException {
    JsonNode root = JSON.readTree(answer);
    assertThat(root.path("status").asText()).as(answer).isEqualTo("success");
    Map<String, List<double[]>> result = new TreeMap<>();
    for (JsonNode one : root.path("data").path("result")) {
      List<double[]> points = new ArrayList<>();
      if (one.has("value")) {
        points.add(point(one.path("value")));
      }
      one.path("values").forEach(value -> points.add(point(value)));
      result.put(one.path("metric").toString(), points);
    }
    return result;
  }

  private static double[] point(JsonNode pair) {
    String text = pair.path(1).asText().replace("Inf", "Infinity");
    return new double[] {pair.path(0).asDouble(), Double.parseDouble(text)};
  }

  private static Map<String, List<double[]>> instant(Program server, String query, double time)
      throws Exception {
    return result(
        server.get("/api/v1/query", Map.of("query", query, "time", Double.toString(time))));
  }

  /** Label sets to the value alone, for queries whose evaluation times differ. */
  static Map<String, Double> series(Program server, String query, double time) throws Exception {
    Map<String, Double> values = new TreeMap<>();
    instant(server, query, time).forEach((labels, points) -> values.put(labels, points.get(0)[1]));
    return values;
  }

  static Map<String, List<double[]>> range(
      Program server, String query, double start, double end, int stepSeconds) throws Exception {
    return result(
        server.get(
            "/api/v1/query_range",
            Map.of(
                "query",
                query,
                "start",
                Double.toString(start),
                "end",
                Double.toString(end),
                "step",
                Integer.toString(stepSeconds))));
  }

  static void assertSame(Map<String, ?> ours, Map<String, ?> theirs, String description) {
    assertThat(ours.keySet()).as(description).isEqualTo(theirs.keySet());
    ours.forEach(
        (labels, value) -> {
          double[] left = flat(value);
          double[] right = flat(theirs.get(labels));
          assertThat(left).as(description + " " + labels).hasSameSizeAs(right);
          for (int i = 0; i < left.length; i++) {
            assertThat(close(left[i], right[i]))
                .as("%s %s: ours %s, Prometheus %s", description, labels, left[i], right[i])
                .isTrue();
          }
        });
  }

  private static double[] flat(@Nullable Object value) {
    if (value instanceof Double single) {
      return new double[] {single};
    }
    return ((List<?>) Objects.requireNonNull(value))
        .stream().flatMapToDouble(point -> java.util.Arrays.stream((double[]) point)).toArray();
  }

  private static boolean close(double a, double b) {
    return Double.compare(a, b) == 0
        || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  }
}
