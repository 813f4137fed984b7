package org.inferometer.benchmarks.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What answers of the query API hold. */
record Answers(ObjectMapper json) {
  /** The largest relative difference of values between two answers, or NaN if shapes differ. */
  double difference(String a, String b) throws IOException {
    List<Double> left = numbers(json.readTree(a));
    List<Double> right = numbers(json.readTree(b));
    if (left.isEmpty() || left.size() != right.size()) {
      return Double.NaN;
    }
    double most = 0;
    for (int i = 0; i < left.size(); i++) {
      double x = left.get(i);
      double y = right.get(i);
      double scale = Math.max(Math.abs(x), Math.abs(y));
      if (scale > 0 && Double.compare(x, y) != 0) {
        most = Math.max(most, Math.abs(x - y) / scale);
      }
    }
    return most;
  }

  /** Every value of an answer, by series label and time. */
  private static List<Double> numbers(JsonNode answer) {
    List<JsonNode> series = new ArrayList<>();
    answer.path("data").path("result").forEach(series::add);
    series.sort((a, b) -> a.path("metric").toString().compareTo(b.path("metric").toString()));
    List<Double> numbers = new ArrayList<>();
    for (JsonNode one : series) {
      if (one.has("value")) {
        numbers.add(number(one.path("value").path(1)));
      }
      one.path("values").forEach(point -> numbers.add(number(point.path(1))));
    }
    return numbers;
  }

  private static double number(JsonNode value) {
    return switch (value.asText()) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(value.asText());
    };
  }

  /** The value of the first series, NaN if there is none. */
  double firstValue(String answer) throws IOException {
    return json.readTree(answer)
        .path("data")
        .path("result")
        .path(0)
        .path("value")
        .path(1)
        .asDouble(Double.NaN);
  }
}
