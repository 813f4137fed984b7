package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.Shared;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
  private static final String PAGE =
      """
      # TYPE vllm:num_requests_running gauge
      vllm:num_requests_running{model_name="m",engine="0"} 1
      # TYPE vllm:generation_tokens_total counter
      vllm:generation_tokens_total{model_name="m",engine="0"} %d
      """;

  private final Captured captured = new Captured();
  private final List<String> authorizations = new ArrayList<>();
  private HttpServer server;
  private int asked;

  @TempDir private Path folder;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/metrics", exchange -> answer(exchange, 200, PAGE.formatted(asked++)));
    server.createContext("/bad", exchange -> answer(exchange, 200, PAGE.formatted(1) + "a b c\n"));
    server.createContext("/html", exchange -> answer(exchange, 200, "<html></html>"));
    server.createContext("/other", exchange -> answer(exchange, 404, "{\"detail\":\"Not Found\"}"));
    server.start();
  }

  private void answer(HttpExchange exchange, int status, String page) throws IOException {
    authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    byte[] body = page.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("check", "--wait", "200ms"));
    all.addAll(List.of(args));
    return new Cli(captured.console(false), WallClock.system(), Ticker.system())
        .run(all.toArray(String[]::new));
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(captured.out());
  }

  @Test
  void urlAfterDialectFile_isAnEndpoint() throws IOException {
    Path dialect = folder.resolve("acme.yaml");
    Files.writeString(
        dialect, "dialect: {id: acme, title: Acme, kind: engine, identify: [prefix: acme_]}\n");
    run("--dialects", dialect.toString(), url("/metrics"));
    assertThat(captured.out()).contains(url("/metrics"));
  }

  @Test
  void goodEndpoint_hasNothingToDo() {
    assertThat(run(url("/metrics"))).isZero();
    assertThat(captured.out())
        .startsWith("vLLM 0.8.3 or newer: nothing to do\n" + url("/metrics") + "\n")
        .contains("FEEDS", "SERIES 2")
        .doesNotContain("TO DO");
  }

  @Test
  void brokenPage_isSomethingToDo() {
    assertThat(run(url("/bad"))).isEqualTo(ExitCode.FOUND);
    assertThat(captured.out())
        .startsWith("vLLM 0.8.3 or newer: 1 thing to do\n")
        .contains("TO DO\n 1. 1 line can't be read (5)");
  }

  @Test
  void htmlPage_isSomethingToDo_atAnyPath() {
    assertThat(run(url("/html"))).isEqualTo(ExitCode.FOUND);
    assertThat(captured.out()).contains("The metrics are at another path", url("/metrics"));
  }

  @Test
  void nothingThere_couldntBeDone() throws IOException {
    assertThat(run("127.0.0.1:1", url("/metrics"), "--format", "json")).isEqualTo(ExitCode.FAILED);
    JsonNode endpoints = json().path("endpoints");
    assertThat(endpoints).hasSize(2);
    assertThat(endpoints.path(0).path("state").asText()).isEqualTo("unreachable");
    assertThat(endpoints.path(0).path("series").isNull()).isTrue();
    assertThat(endpoints.path(1).path("state").asText()).isEqualTo("ok");
  }

  @Test
  void json_isAsDocumented() throws IOException {
    run(url("/bad"), "--format", "json", "--slo", "ttft_p95=500ms");
    JsonNode endpoint = json().path("endpoints").path(0);
    assertThat(endpoint.fieldNames())
        .toIterable()
        .containsExactly(
            "target",
            "url",
            "instance",
            "job",
            "state",
            "verdict",
            "parts",
            "todo",
            "notes",
            "series",
            "scrape");
    JsonNode part = endpoint.path("parts").path(0);
    assertThat(part.fieldNames())
        .toIterable()
        .containsExactly(
            "service", "kind", "name", "engine", "model", "version", "facets", "feeds", "lacks",
            "never", "buckets");
    assertThat(part.path("feeds").path(0).fieldNames())
        .toIterable()
        .containsExactly(
            "signal", "title", "layer", "unit", "quality", "reason", "query", "goal", "values");
    assertThat(endpoint.path("todo").path(0).path("id").asText()).isEqualTo("bad-lines");
    assertThat(endpoint.path("scrape").path("scrapes").asInt()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void severalEndpoints_beginWithALineEach() {
    run(url("/metrics"), url("/bad"));
    assertThat(captured.out())
        .startsWith(
            "ok    "
                + url("/metrics")
                + "  vLLM 0.8.3 or newer: nothing to do\nTODO  "
                + url("/bad")
                + "  vLLM 0.8.3 or newer: 1 thing to do\n");
  }

  @Test
  void passwords_areUsedAndNeverShown() {
    String secret = "http://u:s3cret@127.0.0.1:" + server.getAddress().getPort() + "/metrics";
    assertThat(run(secret)).isZero();
    assertThat(authorizations).containsOnly("Basic dTpzM2NyZXQ=");
    assertThat(captured.out() + captured.err()).doesNotContain("s3cret");
  }

  @Test
  void targetsOfAConfig_areAskedWithItsCredentials() throws IOException {
    Path config = folder.resolve("c.yml");
    Files.writeString(
        config,
        """
        scrape_configs:
          - job_name: engines
            authorization: {credentials: s3cret}
            static_configs: [{targets: ["127.0.0.1:%d"]}]
        inferometer:
          slos:
            "*": {ttft_p95: 500ms}
        """
            .formatted(server.getAddress().getPort()));
    assertThat(run("--config", config.toString(), "--format", "json")).isZero();
    assertThat(authorizations).containsOnly("Bearer s3cret");
    assertThat(captured.out()).doesNotContain("s3cret");
    assertThat(json().path("endpoints").path(0).path("job").asText()).isEqualTo("engines");
    assertThat(json().path("endpoints").path(0).path("series").path("intervalSeconds").asInt())
        .isEqualTo(60);
  }

  @Test
  void wrongUsage_saysWhatWasExpected() {
    assertThat(run()).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("expected a URL, a file, or --config FILE");
    assertThat(run(url("/metrics"), "--slo", "ttft=1s")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("--slo: expected a quantile of a latency");
    assertThat(run("ftp://host")).isEqualTo(ExitCode.USAGE);
    assertThat(run("--dump", "no-such-file.prom")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("no-such-file.prom: no such file");
    assertThat(run(url("/metrics"), "--wait", "2h")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aReleaseThatIsThere_isNotAdvised() {
    run(url("/metrics"), "--all");
    assertThat(captured.out())
        .contains("Release 0.8.3 or newer")
        .doesNotContain("vLLM 0.3 or newer", "vLLM 0.4.2 or newer");
  }

  @Test
  void namesOfAPage_areShownShortAndHarmless() throws IOException {
    String model = "m\u202ex\u009b31m" + "y".repeat(100_000);
    Path page = folder.resolve("page.prom");
    Files.writeString(page, "vllm:num_requests_running{model_name=\"" + model + "\"} 1\n");
    run("--all", "--dump", page.toString());
    assertThat(captured.out()).contains("Model m\\u202ex\\x9b31myyy").hasSizeLessThan(30_000);
    assertThat(captured.out()).doesNotContain("\u202e", "\u009b");
  }

  @Test
  void savedPages_fitATerminal() {
    List<String> args = new ArrayList<>(List.of("--slo", "ttft_p95=700ms", "--dump"));
    for (String file :
        List.of(
            "metrics/vllm_v0.9.x-v0-engine-cpu_multiproc-order_qwen3-0.6b.prom",
            "gpu/node_exporter_linux-e2e-recorded-procfs.prom",
            "gpu/dcgm-exporter_3.x-8xa800-mixed-mig-INVALID-value-line_johns-blog.prom")) {
      args.add(Shared.path("fixtures/" + file).toString());
    }
    assertThat(run(args.toArray(String[]::new))).isEqualTo(ExitCode.FOUND);
    assertThat(captured.out()).contains("One scrape only, so nothing can be seen to move");
    assertThat(captured.out().lines())
        .filteredOn(line -> !line.startsWith("/") && !line.startsWith("      "))
        .allMatch(line -> line.codePointCount(0, line.length()) <= Wrapping.WIDTH);
  }
}
