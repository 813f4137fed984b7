package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchRoutesTest {
  private final MemorySeries series = new MemorySeries();
  private final HttpClient client = HttpClient.newHttpClient();
  private final TestServer server =
      new TestServer(
          new BatchRoutes(
              new LocalQueryService(
                  series, MetadataSource.none(), EngineOptions.DEFAULT, () -> 0)));

  BatchRoutesTest() {
    series.add(Labels.of(Labels.NAME, "m"), 1000, 7);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private String post(String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.port() + "/api/v1/query_batch"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  void eachQueryHasItsOwnOutcome() throws Exception {
    assertThat(
            post(
                """
                {"time":1,"queries":[{"id":"a","query":"m"},{"id":"b","query":"sum("},\
                {"id":"c","query":"quantile(2, m)"}]}\
                """))
        .isEqualTo(
            """
            {"status":"success","data":{"results":[\
            {"id":"a","status":"success","data":{"resultType":"vector",\
            "result":[{"metric":{"__name__":"m"},"value":[1,"7"]}]},"warnings":[],"infos":[]},\
            {"id":"b","status":"error","errorType":"bad_data",\
            "error":"1:5: parse error: unclosed left parenthesis"},\
            {"id":"c","status":"success","data":{"resultType":"vector",\
            "result":[{"metric":{},"value":[1,"+Inf"]}]},\
            "warnings":["PromQL warning: quantile value should be between 0 and 1, got 2 (1:10)"],\
            "infos":[]}]}}\
            """);
  }

  @Test
  void startEndAndStepAskForARange() throws Exception {
    assertThat(
            post("{\"queries\":[{\"id\":\"a\",\"query\":\"m\"}],\"start\":0,\"end\":2,\"step\":1}"))
        .contains("\"resultType\":\"matrix\"")
        .contains("\"values\":[[1,\"7\"],[2,\"7\"]]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]|expected an object at line 1, column 1",
        "{|the body isn't JSON",
        "{}|expected \\\"queries\\\"",
        "{\"queries\":[]}|expected \\\"start\\\", \\\"end\\\" and \\\"step\\\", or \\\"time\\\"",
        "{\"queries\":[],\"time\":1,\"step\":1}|expected either",
        "{\"queries\":[],\"time\":\"now\"}|a number for \\\"time\\\"",
        "{\"queries\":[],\"time\":1e300}|out of range",
        "{\"queries\":[],\"start\":2,\"end\":1,\"step\":1}|at or after",
        "{\"queries\":[],\"start\":1,\"end\":1,\"step\":0}|above 0",
        "{\"queries\":[],\"start\":0,\"end\":99999,\"step\":1}|exceeded maximum resolution",
        "{\"queries\":[{\"id\":\"a\"}],\"time\":1}|in each query",
        "{\"queries\":[{\"id\":1}],\"time\":1}|text for \\\"id\\\"",
        "{\"queries\":[{\"id\":\"a\",\"query\":\"1\"},{\"id\":\"a\",\"query\":\"1\"}],\"time\":1}|again",
        "{\"x\":1}|unknown key",
        "{\"queries\":[],\"time\":1}{}|the end of the body",
      })
  void whatIsWrongWithTheBodyIsSaid(String body, String message) throws Exception {
    assertThat(post(body)).contains("\"errorType\":\"bad_data\"").contains(message);
  }

  @Test
  void tooManyQueriesAreRefusedWithTheLimitsName() throws Exception {
    StringBuilder body = new StringBuilder("{\"time\":1,\"queries\":[");
    for (int i = 0; i <= 200; i++) {
      body.append(i == 0 ? "" : ",").append("{\"id\":\"" + i + "\",\"query\":\"1\"}");
    }
    assertThat(post(body.append("]}").toString())).contains("query.max-batch-queries = 200");
  }
}
