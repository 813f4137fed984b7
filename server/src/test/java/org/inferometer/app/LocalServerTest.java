package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.inferometer.query.EngineOptions;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole program but its process: scrapes a target over a socket, is asked over a socket. */
class LocalServerTest {
  private static final String PAGE =
      "# HELP requests_total Requests.\n# TYPE requests_total counter\nrequests_total 7\n";

  private final Captured captured = new Captured();
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer target;
  private int dataFolders;

  @TempDir Path folder;

  @BeforeEach
  void startTarget() throws Exception {
    target = HttpServer.create(loopback(0), 0);
    target.createContext(
        "/metrics",
        exchange -> {
          byte[] body = PAGE.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    target.start();
  }

  @AfterEach
  void stopTarget() {
    target.stop(0);
    client.close();
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private LocalServer server(List<String> urls, @Nullable Path config) {
    ServeOptions options =
        new ServeOptions(
            loopback(0),
            List.of(),
            urls,
            config,
            StorageOptions.of(folder.resolve("data-" + dataFolders++)),
            EngineOptions.DEFAULT,
            WebOptions.DEFAULT);
    return new LocalServer(options, captured.console(false), WallClock.system(), Ticker.system())
        .start();
  }

  private String get(LocalServer server, String path) throws Exception {
    return client.send(request(server, path).build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  private static HttpRequest.Builder request(LocalServer server, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  /** Returns when samples came in that weren't there when it was called, or those that were. */
  private void awaitSamples(LocalServer server) throws Exception {
    HttpRequest events = request(server, "/api/v1/events").build();
    try (var lines =
        new BufferedReader(
            new InputStreamReader(
                client.send(events, HttpResponse.BodyHandlers.ofInputStream()).body(),
                StandardCharsets.UTF_8))) {
      lines.readLine();
      if (get(server, "/api/v1/labels").contains("__name__")) {
        return;
      }
      while (!lines.readLine().startsWith("event: tick")) {
        // Comments.
      }
    }
  }

  @Test
  void evaluationInterval_isTheStepOfSubqueries_afterReloadsToo() throws Exception {
    Path config = folder.resolve("interval.yml");
    Files.writeString(config, "global: {evaluation_interval: 10s}\n");
    String steps = "/api/v1/query?time=60&query=count_over_time(vector(1)%5B1m:%5D)";
    try (LocalServer server = server(List.of(), config)) {
      assertThat(get(server, steps)).contains("[60,\"6\"]");
      Files.writeString(config, "global: {evaluation_interval: 30s}\n");
      assertThat(server.reload()).isNull();
      assertThat(get(server, steps)).contains("[60,\"2\"]");
    }
  }

  @Test
  void targetIsScrapedAndCanBeAskedFor() throws Exception {
    int port = target.getAddress().getPort();
    try (LocalServer server = server(List.of("127.0.0.1:" + port), null)) {
      awaitSamples(server);
      assertThat(get(server, "/api/v1/query?query=requests_total"))
          .contains("\"instance\":\"127.0.0.1:" + port + "\"")
          .contains("\"7\"]");
      assertThat(get(server, "/api/v1/metadata?metric=requests_total")).contains("Requests.");
      assertThat(get(server, "/api/v1/targets")).contains("\"health\":\"up\"");
      assertThat(get(server, "/api/v1/services")).contains("\"status\":\"success\"");
      assertThat(get(server, "/api/v1/series?match[]=up".replace("[]", "%5B%5D"))).contains("up");
      assertThat(get(server, "/api/v1/status/flags"))
          .contains("\"retention\":\"15d\"")
          .contains("\"enable-feature\":\"promql-binop-fill-modifiers,promql-duration-expr,");
    }
  }

  @Test
  void exemplarsOfAScrape_canBeAskedFor() throws Exception {
    target.createContext(
        "/open",
        exchange -> {
          byte[] body =
              """
              # TYPE wait_seconds histogram
              wait_seconds_bucket{le="1"} 3 # {trace_id="abc"} 0.5
              wait_seconds_bucket{le="+Inf"} 3
              wait_seconds_count 3
              wait_seconds_sum 1
              # EOF
              """
                  .getBytes(StandardCharsets.UTF_8);
          exchange
              .getResponseHeaders()
              .set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    int port = target.getAddress().getPort();
    try (LocalServer server = server(List.of("127.0.0.1:" + port + "/open"), null)) {
      awaitSamples(server);
      assertThat(get(server, "/api/v1/query_exemplars?query=rate(wait_seconds_bucket%5B1m%5D)"))
          .contains("\"seriesLabels\":{\"__name__\":\"wait_seconds_bucket\"")
          .contains("\"exemplars\":[{\"labels\":{\"trace_id\":\"abc\"},\"value\":\"0.5\"");
    }
  }

  @Test
  void statusConfig_isTheFilesWithoutSecrets() throws Exception {
    Path file = folder.resolve("secret.yml");
    Files.writeString(
        file,
        """
        scrape_configs:
        - job_name: a
          basic_auth: {username: u, password: hidden}
        """);
    try (LocalServer server = server(List.of("127.0.0.1:1"), file)) {
      awaitSamples(server);
      assertThat(get(server, "/api/v1/status/config"))
          .contains("job_name: http://127.0.0.1:1\\n", "job_name: a\\n", "password: <secret>")
          .doesNotContain("hidden");
      assertThat(get(server, "/api/v1/status/tsdb")).contains("\"numSeries\":");
      assertThat(get(server, "/federate?match%5B%5D=up")).contains("# TYPE up ");
      assertThat(get(server, "/api/v1/write")).contains("method not allowed");
    }
  }

  @Test
  void ownMetrics_areReadByOwnScraping() throws Exception {
    try (LocalServer server = server(List.of("127.0.0.1:" + target.getAddress().getPort()), null);
        LocalServer watcher = server(List.of("127.0.0.1:" + server.port()), null)) {
      awaitSamples(server);
      awaitSamples(watcher);
      assertThat(get(watcher, "/api/v1/targets")).contains("\"badLines\":0");
      assertThat(get(watcher, "/api/v1/query?query=inferometer_build_info")).contains("version");
      assertThat(get(watcher, "/api/v1/query?query=inferometer_store_series")).contains("value");
      assertThat(get(watcher, "/api/v1/query?query=process_resident_memory_bytes"))
          .contains("value");
    }
  }

  private LocalServer server(StorageOptions storage, List<String> urls, WebOptions web) {
    ServeOptions options =
        new ServeOptions(loopback(0), List.of(), urls, null, storage, EngineOptions.DEFAULT, web);
    return new LocalServer(options, captured.console(false), WallClock.system(), Ticker.system())
        .start();
  }

  private static StorageOptions readOnly(Path data) {
    return new StorageFlags(Map.of(StorageFlags.DATA, data.toString()), true, true).options();
  }

  @Test
  void samples_areThereAfterARestart_andReadOnly() throws Exception {
    Path data = folder.resolve("kept");
    String url = "127.0.0.1:" + target.getAddress().getPort();
    String question = "/api/v1/query?query=count_over_time(requests_total%5B1h%5D)";
    try (LocalServer server = server(StorageOptions.of(data), List.of(url), WebOptions.DEFAULT)) {
      awaitSamples(server);
      assertThat(get(server, "/metrics"))
          .contains("prometheus_tsdb_blocks_loaded 0", "prometheus_tsdb_head_series ");
    }
    try (LocalServer server = server(StorageOptions.of(data), List.of(), WebOptions.DEFAULT)) {
      assertThat(get(server, question)).contains("\"instance\":\"" + url + "\"");
      assertThat(get(server, "/api/v1/status")).contains("\"readOnly\":false");
    }
    try (LocalServer server = server(readOnly(data), List.of(), WebOptions.DEFAULT)) {
      assertThat(get(server, question)).contains("\"instance\":\"" + url + "\"");
      assertThat(get(server, "/api/v1/status"))
          .contains("\"readOnly\":true", "\"minTime\":1", "\"trouble\":\"\"");
    }
  }

  @Test
  void directoryInUse_orNotOfAStore_endsTheStart() throws Exception {
    Path data = folder.resolve("one");
    try (LocalServer first = server(StorageOptions.of(data), List.of(), WebOptions.DEFAULT)) {
      assertThat(first.port()).isPositive();
      assertThatExceptionOfType(CommandException.class)
          .isThrownBy(() -> server(StorageOptions.of(data), List.of(), WebOptions.DEFAULT))
          .withMessageContaining(data.toString())
          .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FAILED));
    }
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve("holiday.jpg"), "x");
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> server(StorageOptions.of(other), List.of(), WebOptions.DEFAULT))
        .withMessageContaining(other.toString());
    assertThat(other.toFile().list()).containsExactly("holiday.jpg");
  }

  @Test
  void readOnly_refusesWhatWouldChangeTheData() {
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(
            () ->
                server(readOnly(folder), List.of("127.0.0.1:1"), new WebOptions(null, true, true)))
        .withMessage(
            "--read-only only shows what is there, nothing is scraped or changed: leave out"
                + " 127.0.0.1:1, leave out --web.enable-remote-write-receiver, leave out"
                + " --web.enable-admin-api")
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
  }

  @Test
  void adminApi_deletesAndCopies() throws Exception {
    Path data = folder.resolve("changed");
    String url = "127.0.0.1:" + target.getAddress().getPort();
    try (LocalServer server =
        server(StorageOptions.of(data), List.of(url), new WebOptions(null, false, true))) {
      awaitSamples(server);
      String snapshot = post(server, "/api/v1/admin/tsdb/snapshot");
      assertThat(snapshot).contains("\"name\":\"");
      assertThat(data.resolve("snapshots").toFile().list()).hasSize(1);
      assertThat(post(server, "/api/v1/admin/tsdb/delete_series?match%5B%5D=requests_total"))
          .isEmpty();
      assertThat(get(server, "/api/v1/query?query=count_over_time(requests_total%5B1s%5D%20@%201)"))
          .contains("\"result\":[]");
      assertThat(post(server, "/api/v1/admin/tsdb/clean_tombstones")).isEmpty();
    }
  }

  private String post(LocalServer server, String path) throws Exception {
    return client
        .send(
            request(server, path).POST(HttpRequest.BodyPublishers.noBody()).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void reload_isAllOrNothing() throws Exception {
    Path file = folder.resolve("inferometer.yml");
    String one =
        "scrape_configs:\n- job_name: a\n  static_configs:\n  - targets: ['127.0.0.1:1']\n";
    Files.writeString(file, one);
    try (LocalServer server = server(List.of(), file)) {
      assertThat(server.targetCount()).isEqualTo(1);
      Files.writeString(file, one.replace("'127.0.0.1:1'", "'127.0.0.1:1', '127.0.0.1:2'"));
      assertThat(server.reload()).isNull();
      assertThat(server.targetCount()).isEqualTo(2);
      Files.writeString(file, one + "nonsense: true\n");
      assertThat(server.reload()).contains("inferometer.yml:5:1: ");
      assertThat(server.targetCount()).isEqualTo(2);
      assertThat(get(server, "/metrics")).contains("inferometer_config_last_reload_successful 0");
    }
  }

  @Test
  void dialectsOfTheUsers_areReadAtTheStartAndAtEachReload() throws Exception {
    Path own = folder.resolve("own.yaml");
    String dialect =
        """
        dialect: {id: shop, title: Shop One, kind: other, identify: [{family: requests_total}]}
        families: [{name: requests_total, type: counter}]
        """;
    Files.writeString(own, dialect);
    Path file = folder.resolve("inferometer.yml");
    Files.writeString(file, "inferometer: {dialects: [own.yaml]}\n");
    try (LocalServer server = server(List.of("127.0.0.1:" + target.getAddress().getPort()), file)) {
      awaitSamples(server);
      assertThat(get(server, "/api/v1/services")).contains("Shop One");
      Files.writeString(own, dialect.replace("other", "shopping"));
      assertThat(server.reload()).contains("own.yaml:1:44: ").contains("shopping");
      assertThat(get(server, "/api/v1/services")).contains("Shop One");
      Files.writeString(own, dialect.replace("One", "Two"));
      assertThat(server.reload()).isNull();
      assertThat(get(server, "/api/v1/services")).contains("Shop Two");
    }
  }
}
