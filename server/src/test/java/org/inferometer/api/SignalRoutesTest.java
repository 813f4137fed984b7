package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryService;
import org.inferometer.signals.Signals;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SignalRoutesTest {
  private static final long NOW_MS = 1_790_000_000_000L;

  private final MemorySeries series = new MemorySeries();
  private final Signals signals =
      new Signals(queries(), () -> NOW_MS, Ticker.system(), (s, m) -> Map.of("ttft_p95", 0.5));
  private final TestServer server = new TestServer(new SignalRoutes(() -> signals));
  private final HttpClient client = HttpClient.newHttpClient();

  SignalRoutesTest() {
    for (int i = 4; i >= 0; i--) {
      long timeMs = NOW_MS - i * 15_000L;
      double risen = (4 - i) / 4.0;
      add("up", timeMs, 1);
      add("vllm:num_requests_running", timeMs, 3, "model_name", "a/b", "engine", "0");
      add("vllm:num_requests_waiting", timeMs, 0, "model_name", "a/b", "engine", "0");
      bucket("1.0", timeMs, 30 * risen);
      bucket("+Inf", timeMs, 60 * risen);
    }
  }

  private QueryService queries() {
    return new LocalQueryService(
        series, MetadataSource.none(), EngineOptions.DEFAULT, Ticker.system());
  }

  private void bucket(String le, long timeMs, double value) {
    add(
        "vllm:time_to_first_token_seconds_bucket",
        timeMs,
        value,
        "model_name",
        "a/b",
        "engine",
        "0",
        "le",
        le);
  }

  private void add(String metric, long timeMs, double value, String... labels) {
    Labels all =
        Labels.of(labels).with(Labels.NAME, metric).with("job", "vllm").with("instance", "h:8000");
    series.add(all, timeMs, value);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void vocabularyListsSignalsInOrder() throws Exception {
    assertThat(server.get("/api/v1/signals"))
        .startsWith(
            "{\"status\":\"success\",\"data\":[{\"name\":\"request_rate\","
                + "\"title\":\"Finished requests\",\"layer\":\"request\",\"unit\":\"requests/s\","
                + "\"kind\":\"rate\"")
        .contains("\"healthy\":{\"low\":null,\"high\":0.005,\"source\":")
        .contains("\"layer\":\"gpu\"");
  }

  @Test
  void servicesAreToldWithStateAndVersion() throws Exception {
    assertThat(server.get("/api/v1/services"))
        .startsWith(
            "{\"status\":\"success\",\"data\":{\"time\":1790000000,\"services\":[{\"id\":"
                + "\"vllm/a/b\",\"kind\":\"engine\",\"name\":\"a/b\",\"engine\":{\"id\":\"vllm\","
                + "\"title\":\"vLLM\"},\"version\":{\"text\":")
        .contains("\"model\":\"a/b\",\"state\":\"degraded\",\"sentence\":\"Time to first token")
        .contains("\"replicas\":[{\"instance\":\"h:8000\",\"job\":\"vllm\",\"state\":\"degraded\"")
        .contains("{\"signal\":\"itl_p95\",\"why\":\"release\",\"reason\":\"");
  }

  @Test
  void aMoment() throws Exception {
    HttpResponse<String> answer =
        post(
            """
            {"time":1790000000,"requests":[
              {"service":"vllm/a/b","signals":["running","ttft_p95","nonsense"]}]}
            """);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .startsWith(
            "{\"status\":\"success\",\"data\":{\"times\":[1790000000],\"results\":[{\"service\":"
                + "\"vllm/a/b\",\"signal\":\"running\",\"unit\":\"requests\",\"quality\":\"exact\","
                + "\"reason\":null,\"query\":\"sum by () (max without (pid)")
        .contains(
            "\"series\":[{\"labels\":{},\"values\":[3]}],\"goal\":null,"
                + "\"counts\":\"the moment of the scrape\",\"window\":60}")
        .contains("\"values\":[1],\"low\":[1],\"high\":[null],\"side\":[1],\"counts\":[")
        .contains("]}],\"goal\":0.5,\"counts\":\"requests that got a first token\",\"window\":60}")
        .contains(
            "{\"service\":\"vllm/a/b\",\"signal\":\"nonsense\",\"unit\":\"\",\"quality\":\"absent\","
                + "\"reason\":\"there is no such signal\",\"query\":null,\"series\":[],"
                + "\"goal\":null,\"counts\":null,\"window\":null}");
  }

  @Test
  void bucketsInPlaceOfAQuantile() throws Exception {
    HttpResponse<String> answer =
        post(
            """
            {"time":1790000000,"requests":[
              {"service":"vllm/a/b","signals":["ttft_p95","running"],"buckets":true}]}
            """);
    assertThat(answer.body())
        .contains("\"signal\":\"ttft_p95\",\"unit\":\"count/s\"")
        .contains("{\"labels\":{\"le\":\"1\"},\"values\":[")
        .contains("{\"labels\":{\"le\":\"+Inf\"},\"values\":[")
        .contains("\"quality\":\"absent\",\"reason\":\"it has no buckets\"");
  }

  @Test
  void aStretchHasGapsWhereNothingIs() throws Exception {
    HttpResponse<String> answer =
        post(
            """
            {"start":1789999925.5,"end":1790000000,"step":15,"requests":[
              {"service":"vllm/a/b","signals":["running"],"by":["instance"]}]}
            """);
    assertThat(answer.body())
        .contains("\"times\":[1789999925.500,1789999940.500,")
        .contains("\"labels\":{\"instance\":\"h:8000\"},\"values\":[null,3,3,3,3]");
  }

  @Test
  void whatIsWrongIsSaid() throws Exception {
    refused("{}", "expected \\\"requests\\\"");
    refused("", "expected an object at line 1");
    refused("[", "expected an object at line 1, column 1");
    refused("{\"time\":1,", "the body isn't JSON: ");
    refused("{\"requests\":[]}", "expected \\\"start\\\", \\\"end\\\" and \\\"step\\\", or");
    refused("{\"time\":1,\"step\":1,\"requests\":[]}", "expected either \\\"time\\\" or");
    refused("{\"time\":\"now\",\"requests\":[]}", "expected a number for \\\"time\\\" at line 1");
    refused("{\"time\":1e300,\"requests\":[]}", "\\\"time\\\" is out of range");
    refused("{\"when\":1}", "unknown key \\\"when\\\"");
    refused("{\"time\":1,\"requests\":[{\"service\":\"a\"}]}", "expected \\\"service\\\" and");
    refused("{\"time\":1,\"requests\":[{\"serv\":\"a\"}]}", "unknown key \\\"serv\\\"");
    refused("{\"time\":1,\"requests\":[]} x", "the body isn't JSON: ");
    refused("{\"time\":1,\"requests\":[]} 1", "expected the end of the body");
    refused(
        "{\"start\":2,\"end\":1,\"step\":1,\"requests\":[]}", "expected \\\"end\\\" at or after");
    refused(
        "{\"start\":1,\"end\":2,\"step\":0,\"requests\":[]}", "expected a \\\"step\\\" above 0");
    refused(
        "{\"start\":0,\"end\":11000,\"step\":1,\"requests\":[]}", "expected at most 11000 steps");
    refused(
        "{\"time\":1,\"requests\":[{\"service\":\"a\",\"signals\":[],\"by\":[\"a}b\"]}]}",
        "expected the name of a label in \\\"by\\\", not \\\"a}b\\\"");
  }

  @Test
  void tooManySignals() throws Exception {
    String many = String.join(",", java.util.Collections.nCopies(201, "\"running\""));
    refused(
        "{\"time\":1,\"requests\":[{\"service\":\"a\",\"signals\":[" + many + "]}]}",
        "expected at most 200 signals, got 201");
  }

  @Test
  void aQuestionIsPosted() throws Exception {
    assertThat(server.send("GET", "/api/v1/signals/query").statusCode()).isEqualTo(405);
  }

  private void refused(String body, String message) throws Exception {
    HttpResponse<String> answer = post(body);
    assertThat(answer.statusCode()).as(body).isEqualTo(400);
    assertThat(answer.body())
        .as(body)
        .startsWith("{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"")
        .contains(message);
  }

  private HttpResponse<String> post(String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.port() + "/api/v1/signals/query"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
