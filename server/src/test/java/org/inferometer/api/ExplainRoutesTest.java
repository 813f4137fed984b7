package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExplainRoutesTest {
  private final MemorySeries series = new MemorySeries();
  private final TestServer server =
      new TestServer(
          new ExplainRoutes(
              new LocalQueryService(series, MetadataSource.none(), EngineOptions.DEFAULT, () -> 0),
              () -> TestServer.NOW_MS));

  ExplainRoutesTest() {
    series.add(Labels.of(Labels.NAME, "m"), TestServer.NOW_MS - 1000, 7);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void resultComesWithTheNodesThatMadeIt() throws IOException, InterruptedException {
    assertThat(server.get("/api/v1/query_explain?query=sum(m)"))
        .isEqualTo(
            """
            {"status":"success","data":{"resultType":"vector",\
            "result":[{"metric":{},"value":[1700000000.123,"7"]}],\
            "explain":{"expr":"sum(m)","start":0,"end":6,"kind":"aggregation",\
            "series":1,"samples":1,"points":1,"seconds":0.0,"reused":false,\
            "children":[{"expr":"m","start":4,"end":5,"kind":"selector",\
            "series":1,"samples":1,"points":1,"seconds":0.0,"reused":false,"children":[]}]}}}\
            """);
  }

  @Test
  void startEndAndStepAskForARange() throws IOException, InterruptedException {
    assertThat(
            server
                .post("/api/v1/query_explain", "query=m&start=1700000000&end=1700000010&step=5")
                .body())
        .contains("\"resultType\":\"matrix\"")
        .contains("\"kind\":\"selector\",\"series\":1,\"samples\":1,\"points\":3");
    assertThat(server.get("/api/v1/query_explain?query=m&start=0&end=1"))
        .contains("invalid parameter \\\"step\\\"");
  }

  @Test
  void badQueryIsSaidOfTheParameter() throws IOException, InterruptedException {
    assertThat(server.get("/api/v1/query_explain?query=sum("))
        .contains("\"errorType\":\"bad_data\"")
        .contains("invalid parameter \\\"query\\\"");
  }

  @Test
  void sourceThatDoesNotTellIsAnError() throws IOException, InterruptedException {
    try (TestServer other =
        new TestServer(new ExplainRoutes(server.queries, () -> TestServer.NOW_MS))) {
      assertThat(other.send("GET", "/api/v1/query_explain?query=m").statusCode()).isEqualTo(422);
    }
  }
}
