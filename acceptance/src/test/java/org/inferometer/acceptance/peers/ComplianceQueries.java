package org.inferometer.acceptance.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The compliance suite's templates and what they expand to. */
final class ComplianceQueries {
  private static final List<String> ARITHMETIC = List.of("+", "-", "*", "/", "%", "^");
  private static final List<String> COMPARISON = List.of("==", "!=", "<", ">", "<=", ">=");

  private static final Map<String, List<String>> ARGUMENTS =
      Map.ofEntries(
          Map.entry("range", List.of("1s", "15s", "1m", "5m", "15m", "1h")),
          Map.entry("offset", List.of("1m", "5m", "10m")),
          Map.entry(
              "simpleAggrOp", List.of("sum", "avg", "max", "min", "count", "stddev", "stdvar")),
          Map.entry(
              "simpleTimeAggrOp",
              List.of("sum", "avg", "max", "min", "count", "stddev", "stdvar", "absent", "last")),
          Map.entry("topBottomOp", List.of("topk", "bottomk")),
          Map.entry(
              "quantile",
              List.of("-0.5", "0.1", "0.5", "0.75", "0.95", "0.90", "0.99", "1", "1.5")),
          Map.entry("arithBinOp", ARITHMETIC),
          Map.entry("compBinOp", COMPARISON),
          Map.entry("binOp", Stream.concat(ARITHMETIC.stream(), COMPARISON.stream()).toList()),
          Map.entry(
              "simpleMathFunc",
              List.of("abs", "ceil", "floor", "exp", "sqrt", "ln", "log2", "log10", "round")),
          Map.entry("extrapolatedRateFunc", List.of("delta", "rate", "increase")),
          Map.entry("clampFunc", List.of("clamp_min", "clamp_max")),
          Map.entry("instantRateFunc", List.of("idelta", "irate")),
          Map.entry(
              "dateFunc",
              List.of(
                  "day_of_month",
                  "day_of_week",
                  "days_in_month",
                  "hour",
                  "minute",
                  "month",
                  "year")),
          Map.entry("smoothingFactor", List.of("0.1", "0.5", "0.8")),
          Map.entry("trendFactor", List.of("0.1", "0.5", "0.8")));

  private ComplianceQueries() {}

  /**
   * A query.
   *
   * @param shouldFail whether the suite wants an error
   */
  record Case(String query, boolean shouldFail) {}

  static List<Case> read(Path file) throws IOException {
    List<Case> cases = new ArrayList<>();
    for (JsonNode template : new YAMLMapper().readTree(file.toFile()).path("test_cases")) {
      List<String> queries = List.of(template.path("query").asText());
      for (JsonNode argument : template.path("variant_args")) {
        queries = expanded(queries, argument.asText());
      }
      boolean shouldFail = template.path("should_fail").asBoolean();
      queries.forEach(query -> cases.add(new Case(query, shouldFail)));
    }
    return cases;
  }

  private static List<String> expanded(List<String> queries, String argument) {
    List<String> values = ARGUMENTS.getOrDefault(argument, List.of());
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values for the argument " + argument);
    }
    return queries.stream()
        .flatMap(q -> values.stream().map(v -> q.replace("{{." + argument + "}}", v)))
        .toList();
  }
}
