package org.inferometer.acceptance.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.query.differential.Outcome;
import org.inferometer.query.differential.Question;

/** A Prometheus server as one who answers questions. */
final class PrometheusPeer {
  private final ObjectMapper json = new ObjectMapper();
  private final Program program;

  PrometheusPeer(Program program) {
    this.program = program;
  }

  Outcome answer(Question question) throws IOException, InterruptedException {
    String answer =
        question.isInstant()
            ? program.get(
                "/api/v1/query",
                Map.of("query", question.query(), "time", seconds(question.startMs())))
            : program.get(
                "/api/v1/query_range",
                Map.of(
                    "query", question.query(),
                    "start", seconds(question.startMs()),
                    "end", seconds(question.endMs()),
                    "step", seconds(question.stepMs())));
    JsonNode root = json.readTree(answer);
    if (!root.path("status").asText().equals("success")) {
      return new Outcome.Failed(root.path("error").asText());
    }
    return answered(root.path("data"));
  }

  private static String seconds(long ms) {
    return BigDecimal.valueOf(ms, 3).toPlainString();
  }

  private static Outcome answered(JsonNode data) {
    Map<Labels, SortedMap<Long, Double>> points = new TreeMap<>();
    if (data.path("resultType").asText().equals("scalar")) {
      put(points, Labels.EMPTY, data.path("result"));
      return new Outcome.Answered(points);
    }
    for (JsonNode series : data.path("result")) {
      Map<String, String> names = new TreeMap<>();
      series.path("metric").properties().forEach(l -> names.put(l.getKey(), l.getValue().asText()));
      Labels labels = Labels.of(names);
      if (series.has("value")) {
        put(points, labels, series.path("value"));
      }
      series.path("values").forEach(pair -> put(points, labels, pair));
    }
    return new Outcome.Answered(points);
  }

  private static void put(
      Map<Labels, SortedMap<Long, Double>> points, Labels labels, JsonNode pair) {
    long timeMs = Math.round(pair.path(0).asDouble() * 1000);
    double value = Double.parseDouble(pair.path(1).asText().replace("Inf", "Infinity"));
    points.computeIfAbsent(labels, l -> new TreeMap<>()).put(timeMs, value);
  }
}
