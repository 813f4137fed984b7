package org.inferometer.backend;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.backend.BackendClient.Answer;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.MetricType;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryException.Kind;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryValue;

/** Reads the answers of Prometheus's HTTP API. What isn't one is told by its beginning. */
final class AnswerReader {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int EXCERPT_LENGTH = 80;

  private final BackendClient client;

  AnswerReader(BackendClient client) {
    this.client = client;
  }

  /** The answer of success, with its warnings. */
  JsonNode success(Answer answer) throws QueryException {
    JsonNode body;
    try {
      body = JSON.readTree(answer.body());
    } catch (JsonProcessingException e) {
      throw isNoApi(answer);
    } catch (IOException e) {
      throw client.failure(Kind.UNAVAILABLE, "the answer can't be read: " + e.getMessage(), e);
    }
    if (body == null || !body.isObject()) {
      throw isNoApi(answer);
    }
    if (!body.path("status").asText().equals("success")) {
      throw told(answer, body);
    }
    return body;
  }

  private QueryException isNoApi(Answer answer) {
    String said =
        new String(answer.body(), StandardCharsets.UTF_8)
            .replaceAll("[\\s\\p{Cntrl}]+", " ")
            .strip();
    return client.failure(
        answer.status() == 503 ? Kind.UNAVAILABLE : Kind.EXECUTION,
        switch (answer.status()) {
          case 401, 403 ->
              "it wants other credentials (HTTP "
                  + answer.status()
                  + "); they go into the address: http://user:password@host:port";
          case 301, 302, 303, 307, 308 ->
              "it redirects elsewhere (HTTP " + answer.status() + "); give that address";
          default ->
              "expected an answer of Prometheus's API, got HTTP "
                  + answer.status()
                  + (said.isEmpty() ? "" : ": " + excerpt(said));
        },
        null);
  }

  private static String excerpt(String text) {
    return text.length() <= EXCERPT_LENGTH ? text : text.substring(0, EXCERPT_LENGTH) + "...";
  }

  private QueryException told(Answer answer, JsonNode body) {
    Kind kind =
        switch (body.path("errorType").asText()) {
          case "bad_data" -> Kind.BAD_DATA;
          case "timeout" -> Kind.TIMEOUT;
          case "canceled" -> Kind.CANCELED;
          case "unavailable" -> Kind.UNAVAILABLE;
          case "internal" -> Kind.INTERNAL;
          default -> Kind.EXECUTION;
        };
    return client.failure(kind, body.path("error").asText("HTTP " + answer.status()), null);
  }

  QueryResult result(Answer answer) throws QueryException {
    JsonNode body = success(answer);
    return new QueryResult(
        value(body.path("data")), texts(body.path("warnings")), texts(body.path("infos")));
  }

  private QueryValue value(JsonNode data) throws QueryException {
    JsonNode result = data.path("result");
    try {
      return switch (data.path("resultType").asText()) {
        case "vector" -> vector(result);
        case "matrix" -> matrix(result);
        case "scalar" -> new QueryValue.Scalar(time(result.path(0)), number(result.path(1)));
        case "string" -> new QueryValue.Text(time(result.path(0)), result.path(1).asText());
        default -> throw malformed("a resultType");
      };
    } catch (NumberFormatException e) {
      throw malformed("a number");
    }
  }

  private QueryValue.Vector vector(JsonNode result) throws QueryException {
    List<QueryValue.Element> elements = new ArrayList<>();
    for (JsonNode one : result) {
      refuseHistogram(one.has("histogram"));
      JsonNode point = one.path("value");
      elements.add(
          new QueryValue.Element(
              labels(one.path("metric")), time(point.path(0)), number(point.path(1))));
    }
    return new QueryValue.Vector(elements);
  }

  private QueryValue.Matrix matrix(JsonNode result) throws QueryException {
    List<QueryValue.MatrixSeries> all = new ArrayList<>();
    for (JsonNode one : result) {
      refuseHistogram(one.has("histograms"));
      JsonNode points = one.path("values");
      long[] times = new long[points.size()];
      double[] values = new double[points.size()];
      int i = 0;
      for (JsonNode point : points) {
        times[i] = time(point.path(0));
        values[i++] = number(point.path(1));
      }
      all.add(new QueryValue.MatrixSeries(labels(one.path("metric")), times, values));
    }
    all.sort(Comparator.comparing(QueryValue.MatrixSeries::labels));
    return new QueryValue.Matrix(all);
  }

  private void refuseHistogram(boolean isHistogram) throws QueryException {
    if (isHistogram) {
      throw client.failure(
          Kind.EXECUTION,
          "the result has native histograms, which aren't read from a server",
          null);
    }
  }

  private QueryException malformed(String expected) {
    return client.failure(Kind.EXECUTION, "expected " + expected + " in the answer", null);
  }

  static Labels labels(JsonNode metric) {
    Labels.Builder labels = new Labels.Builder();
    metric
        .properties()
        .forEach(
            entry -> {
              if (!entry.getValue().asText().isEmpty()) {
                labels.set(entry.getKey(), entry.getValue().asText());
              }
            });
    return labels.build();
  }

  private long time(JsonNode seconds) throws QueryException {
    if (!seconds.isNumber()) {
      throw malformed("a time");
    }
    return Math.round(seconds.asDouble() * 1000);
  }

  /** As Prometheus writes it: in quotes, with signs before {@code Inf}. */
  private double number(JsonNode value) throws QueryException {
    if (!value.isTextual() && !value.isNumber()) {
      throw malformed("a value");
    }
    return switch (value.asText()) {
      case "NaN" -> Double.NaN;
      case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(value.asText());
    };
  }

  static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(one -> texts.add(one.asText()));
    return texts;
  }

  static Map<String, List<MetricMetadata>> metadata(JsonNode data) {
    Map<String, List<MetricMetadata>> all = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> family : data.properties()) {
      List<MetricMetadata> told = new ArrayList<>();
      for (JsonNode one : family.getValue()) {
        told.add(
            new MetricMetadata(
                type(one.path("type").asText()),
                one.path("unit").asText(),
                one.path("help").asText()));
      }
      all.put(family.getKey(), told);
    }
    return all;
  }

  private static MetricType type(String word) {
    for (MetricType type : MetricType.values()) {
      if (type.word().equals(word)) {
        return type;
      }
    }
    return MetricType.UNKNOWN;
  }
}
