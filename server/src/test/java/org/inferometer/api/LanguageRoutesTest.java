package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.inferometer.promql.Parser;
import org.inferometer.promql.ParserOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LanguageRoutesTest {
  private TestServer server;

  @BeforeAll
  void start() {
    server = new TestServer(new LanguageRoutes(ParserOptions.ALL));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String form(String query) {
    return "query=" + URLEncoder.encode(query, StandardCharsets.UTF_8);
  }

  @Test
  void formattedQuery_comesOverSeveralLinesWhenLong() throws Exception {
    assertThat(server.get("/api/v1/format_query?query=foo%2Fbar"))
        .isEqualTo("{\"status\":\"success\",\"data\":\"foo / bar\"}");
    String longQuery =
        "sum(rate(" + "a".repeat(60) + "[5m]))/sum(rate(" + "b".repeat(60) + "[5m]))";
    assertThat(server.post("/api/v1/format_query", form(longQuery)).body())
        .isEqualTo(
            "{\"status\":\"success\",\"data\":\"  sum(rate("
                + "a".repeat(60)
                + "[5m]))\\n/\\n  sum(rate("
                + "b".repeat(60)
                + "[5m]))\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"format_query", "parse_query"})
  void brokenQuery_isBadData(String route) throws Exception {
    HttpResponse<String> response = server.post("/api/v1/" + route, form("sum(foo"));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body())
        .startsWith(
            "{\"status\":\"error\",\"errorType\":\"bad_data\","
                + "\"error\":\"invalid parameter \\\"query\\\": 1:8: parse error: ");
    assertThat(server.send("GET", "/api/v1/" + route).statusCode()).isEqualTo(400);
    assertThat(server.send("PUT", "/api/v1/" + route).statusCode()).isEqualTo(405);
  }

  @Test
  void tree_isAnsweredInTheEnvelope() throws Exception {
    assertThat(server.post("/api/v1/parse_query", form("1")).body())
        .isEqualTo("{\"status\":\"success\",\"data\":{\"type\":\"numberLiteral\",\"val\":\"1\"}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1e30        | {"type":"numberLiteral","val":"1000000000000000000000000000000"}
          5m          | {"type":"numberLiteral","val":"300"}
          "a"         | {"type":"stringLiteral","val":"a"}
          (1)         | {"expr":{"type":"numberLiteral","val":"1"},"type":"parenExpr"}
          -(1)        | {"expr":{"expr":{"type":"numberLiteral","val":"1"},"type":"parenExpr"},"op":"-","type":"unaryExpr"}
          f{a!="b"}   | {"anchored":false,"matchers":[{"name":"a","type":"!=","value":"b"},{"name":"__name__","type":"=","value":"f"}],"name":"f","offset":0,"smoothed":false,"startOrEnd":null,"timestamp":null,"type":"vectorSelector"}
          f offset 1m @ 1.5 | {"anchored":false,"matchers":[{"name":"__name__","type":"=","value":"f"}],"name":"f","offset":60000,"smoothed":false,"startOrEnd":null,"timestamp":1500,"type":"vectorSelector"}
          f[1m] smoothed @ end() | {"anchored":false,"matchers":[{"name":"__name__","type":"=","value":"f"}],"name":"f","offset":0,"range":60000,"smoothed":true,"startOrEnd":"end","timestamp":null,"type":"matrixSelector"}
          f[1m*2] anchored | {"anchored":true,"matchers":[{"name":"__name__","type":"=","value":"f"}],"name":"f","offset":0,"range":120000,"smoothed":false,"startOrEnd":null,"timestamp":null,"type":"matrixSelector"}
          f[step()] | {"anchored":false,"matchers":[{"name":"__name__","type":"=","value":"f"}],"name":"f","offset":0,"range":0,"smoothed":false,"startOrEnd":null,"timestamp":null,"type":"matrixSelector"}
          vector(1)[5m:] @ start() offset -1s | {"expr":{"args":[{"type":"numberLiteral","val":"1"}],"func":{"argTypes":["scalar"],"name":"vector","returnType":"vector","variadic":0},"type":"call"},"offset":-1000,"range":300000,"startOrEnd":"start","step":0,"timestamp":null,"type":"subquery"}
          time()      | {"args":[],"func":{"argTypes":[],"name":"time","returnType":"scalar","variadic":0},"type":"call"}
          round(vector(1)) | {"args":[{"args":[{"type":"numberLiteral","val":"1"}],"func":{"argTypes":["scalar"],"name":"vector","returnType":"vector","variadic":0},"type":"call"}],"func":{"argTypes":["vector","scalar"],"name":"round","returnType":"vector","variadic":1},"type":"call"}
          1 > bool 2  | {"bool":true,"lhs":{"type":"numberLiteral","val":"1"},"matching":null,"op":">","rhs":{"type":"numberLiteral","val":"2"},"type":"binaryExpr"}
          topk by (a) (2, vector(1)) | {"expr":{"args":[{"type":"numberLiteral","val":"1"}],"func":{"argTypes":["scalar"],"name":"vector","returnType":"vector","variadic":0},"type":"call"},"grouping":["a"],"op":"topk","param":{"type":"numberLiteral","val":"2"},"type":"aggregation","without":false}
          """)
  void nodes_areWrittenAsPrometheusDoes(String query, String tree) throws Exception {
    assertThat(tree(query)).isEqualTo(tree);
  }

  @Test
  void matching_isWrittenAsPrometheusDoes() throws Exception {
    assertThat(tree("sum(a) * on (x) group_left (y) fill_right (0) b"))
        .contains(
            "\"matching\":{\"card\":\"many-to-one\",\"fillValues\":{\"lhs\":null,\"rhs\":0},"
                + "\"include\":[\"y\"],\"labels\":[\"x\"],\"on\":true},\"op\":\"*\"");
    assertThat(tree("a and b")).contains("\"card\":\"many-to-many\"").contains("\"on\":false");
    assertThat(tree("a + fill (Inf) b")).contains("{\"lhs\":\"+Inf\",\"rhs\":\"+Inf\"}");
    for (String one : List.of("a + b", "a == bool b")) {
      assertThat(tree(one)).contains("\"card\":\"one-to-one\"").contains("\"labels\":[]");
    }
  }

  private static String tree(String query) throws Exception {
    StringWriter text = new StringWriter();
    try (var json = Answer.JSON.createGenerator(text)) {
      ExprJson.write(json, Parser.parse(query));
    }
    return text.toString();
  }
}
