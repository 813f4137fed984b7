package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Exemplar;
import org.inferometer.model.ExemplarSeries;
import org.inferometer.model.Labels;
import org.inferometer.promql.ParserOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExemplarRoutesTest {
  private final List<String> asked = new ArrayList<>();
  private TestServer server;

  @BeforeAll
  void start() {
    server =
        new TestServer(
            new ExemplarRoutes(
                (selections, minMs, maxMs) -> {
                  asked.add(selections + " " + minMs + " " + maxMs);
                  return List.of(
                      new ExemplarSeries(
                          Labels.of("__name__", "a_bucket", "le", "1"),
                          List.of(
                              new Exemplar(Labels.of("trace_id", "t1"), 0.25, 1_600_000_000_050L),
                              new Exemplar(Labels.EMPTY, 1e-7, 1_600_000_001_000L))));
                },
                ParserOptions.ALL));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @BeforeEach
  void forget() {
    asked.clear();
  }

  @Test
  void exemplars_areWrittenAsPrometheusDoes() throws Exception {
    assertThat(
            server
                .post("/api/v1/query_exemplars", "query=rate(a_bucket[5m])&start=1&end=2.5")
                .body())
        .isEqualTo(
            """
            {"status":"success","data":[{"seriesLabels":{"__name__":"a_bucket","le":"1"},\
            "exemplars":[{"labels":{"trace_id":"t1"},"value":"0.25",\
            "timestamp":1600000000.050},\
            {"labels":{},"value":"1e-07","timestamp":1600000001}]}]}\
            """);
    assertThat(asked).containsExactly("[[__name__=\"a_bucket\"]] 1000 2500");
  }

  @Test
  void selectors_areTakenFromAllPartsOfAQuery() throws Exception {
    server.post(
        "/api/v1/query_exemplars",
        "query="
            + java.net.URLEncoder.encode(
                "-(topk(scalar(k), a{x=\"1\"}) / on () sum(max_over_time(b[5m:1m])))"
                    + " + rate(c[1m] offset 1h)",
                java.nio.charset.StandardCharsets.UTF_8));
    assertThat(asked.getFirst())
        .startsWith(
            "[[x=\"1\", __name__=\"a\"], [__name__=\"k\"], [__name__=\"b\"], [__name__=\"c\"]] ");
  }

  @Test
  void queryWithoutSelectors_hasNone() throws Exception {
    assertThat(server.get("/api/v1/query_exemplars?query=1"))
        .isEqualTo("{\"status\":\"success\",\"data\":[]}");
    assertThat(asked).isEmpty();
  }

  @Test
  void badParameters_areBadData() throws Exception {
    HttpResponse<String> order =
        server.send("GET", "/api/v1/query_exemplars?query=a&start=2&end=1");
    assertThat(order.statusCode()).isEqualTo(400);
    assertThat(order.body()).contains("end timestamp must not be before start timestamp");
    HttpResponse<String> query = server.send("GET", "/api/v1/query_exemplars?query=a%7B");
    assertThat(query.statusCode()).isEqualTo(400);
    assertThat(query.body()).contains("parse error");
    assertThat(server.send("PUT", "/api/v1/query_exemplars").statusCode()).isEqualTo(405);
  }
}
