package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.watch.Looks;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.Signals;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A conversation as agents have it, and messages that no agent should send. */
class McpRoutesTest {
  private static final long NOW_MS = 1_790_000_000_000L;

  private final MemorySeries series = new MemorySeries();
  private final LocalQueryService queries =
      new LocalQueryService(series, MetadataSource.none(), EngineOptions.DEFAULT, Ticker.system());
  private final Signals signals =
      new Signals(queries, () -> NOW_MS, Ticker.system(), Goals.NONE, Facts.NONE);
  private final FakeDiagnoses diagnoses =
      new FakeDiagnoses(Looks.degraded(Looks.verdict("kv-exhaustion", 0.95)));
  private final TestServer server =
      new TestServer(new McpRoutes("1.2", () -> signals, diagnoses, queries, () -> NOW_MS));
  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper mapper = new ObjectMapper();

  McpRoutesTest() {
    for (int i = 20; i >= 0; i--) {
      long timeMs = NOW_MS - i * 15_000L;
      add("up", timeMs, 1);
      add("vllm:num_requests_running", timeMs, 20 - i, "model_name", "a/b", "engine", "0");
      add("vllm:num_requests_waiting", timeMs, 0, "model_name", "a/b", "engine", "0");
    }
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

  private HttpResponse<String> post(String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/mcp"))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode ask(String method, String params) throws Exception {
    HttpResponse<String> answer =
        post(
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":%s}"
                .formatted(method, params));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    JsonNode message = mapper.readTree(answer.body());
    assertThat(message.path("jsonrpc").asText()).isEqualTo("2.0");
    assertThat(message.path("id").asInt()).isEqualTo(7);
    return message;
  }

  private JsonNode call(String tool, String arguments) throws Exception {
    return ask("tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments))
        .path("result");
  }

  private String failure(String tool, String arguments) throws Exception {
    JsonNode result = call(tool, arguments);
    assertThat(result.path("isError").asBoolean()).as(result.toString()).isTrue();
    return result.path("content").path(0).path("text").asText();
  }

  @Test
  void conversation_begins() throws Exception {
    JsonNode result =
        ask(
                "initialize",
                "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
                    + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}")
            .path("result");
    assertThat(result.path("protocolVersion").asText()).isEqualTo("2025-06-18");
    assertThat(result.path("serverInfo").path("version").asText()).isEqualTo("1.2");
    assertThat(result.path("capabilities").has("tools")).isTrue();
    HttpResponse<String> taken =
        post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    assertThat(taken.statusCode()).isEqualTo(202);
    assertThat(taken.body()).isEmpty();
    assertThat(ask("ping", "{}").path("result").isEmpty()).isTrue();
  }

  @Test
  void unknownVersion_isAnsweredWithTheNewest_orRefusedInTheHeader() throws Exception {
    JsonNode result = ask("initialize", "{\"protocolVersion\":\"1999-01-01\"}").path("result");
    assertThat(result.path("protocolVersion").asText()).isEqualTo(McpServer.VERSIONS.getFirst());
    String ping = "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}";
    assertThat(post(ping, "MCP-Protocol-Version", "2025-06-18").body())
        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}");
    assertThat(post(ping, "MCP-Protocol-Version", "1999-01-01").statusCode()).isEqualTo(400);
  }

  @Test
  void tools_areListedWithTheirSchemas_andCanBeCalled() throws Exception {
    List<String> names = new ArrayList<>();
    for (JsonNode tool : ask("tools/list", "{}").path("result").path("tools")) {
      names.add(tool.path("name").asText());
      assertThat(tool.path("description").asText()).endsWith(".");
      assertThat(tool.path("inputSchema").path("type").asText()).isEqualTo("object");
      assertThat(tool.path("annotations").path("readOnlyHint").asBoolean()).isTrue();
      assertThat(failure(tool.path("name").asText(), "{\"nonsense\":1}")).isNotEmpty();
    }
    assertThat(names)
        .containsExactly("list_services", "diagnose", "evidence", "query", "list_causes");
  }

  @Test
  void services_areListed() throws Exception {
    JsonNode services = call("list_services", "{}").path("structuredContent").path("services");
    assertThat(services.path(0).path("id").asText()).isEqualTo("vllm/a/b");
    assertThat(services.path(0).path("replicas").asInt()).isEqualTo(1);
  }

  @Test
  void diagnosis_isSaidAndStructured() throws Exception {
    JsonNode result = call("diagnose", "{\"time\":1789990000.5,\"window\":\"10m\"}");
    assertThat(result.path("content").path(0).path("text").asText())
        .isEqualTo(
            "degraded: kv-exhaustion it is.\n"
                + "- Title of kv-exhaustion (kv-exhaustion, confidence 0.95): kv-exhaustion it"
                + " is.");
    JsonNode structured = result.path("structuredContent");
    assertThat(structured.path("state").asText()).isEqualTo("degraded");
    assertThat(structured.has("ruledOut")).isFalse();
    assertThat(mapper.readTree(result.path("content").path(1).path("text").asText()))
        .isEqualTo(structured);
    assertThat(diagnoses.asked.getLast().window().endMs()).isEqualTo(1_789_990_000_500L);
    assertThat(call("diagnose", "{\"full\":true}").path("structuredContent").has("ruledOut"))
        .isTrue();
    assertThat(failure("diagnose", "{\"service\":\"nobody\"}")).contains("nobody");
    assertThat(failure("diagnose", "{\"window\":\"1s\"}")).contains("window");
    assertThat(failure("diagnose", "{\"window\":[]}"))
        .isEqualTo("expected a number or text for \"window\"");
  }

  @Test
  void query_atOneTimeAndOverAStretch_isBounded() throws Exception {
    JsonNode instant = call("query", "{\"query\":\"up + 1\"}").path("structuredContent");
    assertThat(instant.path("result").path(0).path("value").path(1).asText()).isEqualTo("2");
    JsonNode range =
        call("query", "{\"query\":\"up\",\"start\":1789999900,\"end\":1790000000,\"step\":\"20s\"}")
            .path("structuredContent");
    assertThat(range.path("result").path(0).path("values")).hasSize(6);
    assertThat(failure("query", "{\"query\":\"up\",\"start\":0,\"end\":1000,\"step\":1}"))
        .contains("at most 500 points");
    assertThat(failure("query", "{\"query\":\"sum(\"}")).contains("parse error");
    assertThat(failure("query", "{}")).isEqualTo("expected the argument \"query\"");
    assertThat(failure("query", "{\"query\":7}")).contains("expected text");
  }

  @Test
  void manySeries_areCut() throws Exception {
    for (int i = 0; i < 150; i++) {
      add("many", NOW_MS, i, "i", Integer.toString(i));
    }
    JsonNode result = call("query", "{\"query\":\"many\"}");
    assertThat(result.path("structuredContent").path("result")).hasSize(100);
    assertThat(result.path("structuredContent").path("truncated").asBoolean()).isTrue();
    assertThat(result.path("content").path(0).path("text").asText()).contains("first 100 series");
  }

  @Test
  void evidence_isASummary_orACourse() throws Exception {
    JsonNode all =
        call("evidence", "{\"service\":\"vllm/a/b\"}").path("structuredContent").path("signals");
    assertThat(all.size()).isGreaterThan(1);
    assertThat(all.path(0).path("series").path(0).has("values")).isFalse();
    JsonNode running =
        call("evidence", "{\"service\":\"vllm/a/b\",\"signals\":[\"running\"]}")
            .path("structuredContent")
            .path("signals")
            .path(0);
    assertThat(running.path("series").path(0).path("last").asInt()).isEqualTo(20);
    assertThat(running.path("series").path(0).path("values").size()).isGreaterThan(20);
    assertThat(running.path("query").asText()).contains("vllm:num_requests_running");
    assertThat(failure("evidence", "{\"service\":\"nobody\"}")).contains("list_services");
    assertThat(failure("evidence", "{\"service\":\"vllm/a/b\",\"signals\":[1]}"))
        .isEqualTo("expected a list of texts for \"signals\"");
    assertThat(failure("evidence", "{\"service\":\"vllm/a/b\",\"by\":[\"a b\"]}")).contains("by");
  }

  @Test
  void causes_areListed_andOneIsToldInFull() throws Exception {
    JsonNode all = call("list_causes", "{}").path("structuredContent").path("causes");
    assertThat(all.size()).isGreaterThan(25);
    assertThat(all.path(0).has("looks")).isFalse();
    JsonNode one =
        call("list_causes", "{\"id\":\"kv-exhaustion\"}").path("structuredContent").path("causes");
    assertThat(one).hasSize(1);
    assertThat(one.path(0).path("looks").isEmpty()).isFalse();
    assertThat(failure("list_causes", "{\"id\":\"magic\"}")).contains("magic");
  }

  @Test
  void requestsThatAreNone_areRefused() throws Exception {
    assertRefused("", -32700);
    assertRefused("{", -32700);
    assertRefused("{} {}", -32700);
    assertRefused("{\"a\":1,\"a\":2}", -32700);
    assertRefused("[".repeat(10_000), -32700);
    assertRefused("{\"a\":".repeat(50), -32700);
    assertRefused("{\"jsonrpc\":\"2.0\",\"id\":" + "9".repeat(1_000) + "}", -32700);
    assertRefused("{\"jsonrpc\":\"2.0\",\"id\":1e999999999,\"method\":\"ping\"}", -32700);
    assertRefused("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600);
    assertRefused("7", -32600);
    assertRefused("{\"id\":1,\"method\":\"ping\"}", -32600);
    assertRefused("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600);
    assertRefused("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", -32600);
    assertRefused("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}", -32600);
  }

  private void assertRefused(String body, int code) throws Exception {
    HttpResponse<String> answer = post(body);
    String shown = body.substring(0, Math.min(60, body.length()));
    assertThat(answer.statusCode()).as(shown).isEqualTo(400);
    JsonNode message = mapper.readTree(answer.body());
    assertThat(message.path("error").path("code").asInt()).as(shown).isEqualTo(code);
    assertThat(message.path("id").isNull()).isTrue();
  }

  @Test
  void hugeMessage_isRefused() throws Exception {
    HttpResponse<String> answer = post("\"" + "x".repeat(McpRoutes.BODY_BYTES_MAX) + "\"");
    assertThat(answer.statusCode()).isEqualTo(413);
  }

  @Test
  void unknownMethodsAndTools_areErrors() throws Exception {
    assertThat(ask("resources/list", "{}").path("error").path("code").asInt()).isEqualTo(-32601);
    assertThat(ask("tools/call", "{\"name\":\"rm\"}").path("error").path("code").asInt())
        .isEqualTo(-32602);
    assertThat(ask("tools/call", "[]").path("error").path("code").asInt()).isEqualTo(-32602);
    assertThat(
            ask("tools/call", "{\"name\":\"query\",\"arguments\":[]}")
                .path("error")
                .path("code")
                .asInt())
        .isEqualTo(-32602);
  }

  @Test
  void pagesOfOtherSites_andOtherMethods_areRefused() throws Exception {
    String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    assertThat(post(ping, "Origin", "http://evil.example").statusCode()).isEqualTo(403);
    HttpResponse<String> got = server.send("GET", "/mcp");
    assertThat(got.statusCode()).isEqualTo(405);
    assertThat(got.headers().firstValue("Allow")).contains("POST");
    assertThat(server.send("DELETE", "/mcp").statusCode()).isEqualTo(405);
    assertThat(
            server.raw(
                "POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: "
                    + ping.length()
                    + "\r\nConnection: close\r\n\r\n"
                    + ping))
        .startsWith("HTTP/1.1 403 ");
  }
}
