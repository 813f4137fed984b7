package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LintCommandTest {
  private static final String OLD =
      """
      groups:
      - name: g
        rules:
        - alert: KvFull
          expr: vllm:gpu_cache_usage_perc{model_name="m"} > 0.9
          for: 5m
      """;

  private static final String CLEAN = OLD.replace("gpu_cache", "kv_cache");

  @TempDir Path folder;

  private Captured captured = new Captured();

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("lint"));
    all.addAll(List.of(args));
    captured = new Captured();
    return new Cli(captured.console(false), () -> 1_700_000_000_000L, Ticker.system())
        .run(all.toArray(String[]::new));
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  /** A server that gives one answer to everything. */
  private static HttpServer serving(String contentType, String body) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().add("Content-Type", contentType);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static String url(HttpServer server, String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  @Test
  void findings_areToldByFileAndRule() throws Exception {
    assertThat(run(file("a.yml", OLD))).isEqualTo(ExitCode.FOUND);
    assertThat(captured.out())
        .contains("a.yml\n", "  alert \"KvFull\"\n", "    5:11  warning  removed-metric  (--fix")
        .contains("1 query in 1 file: 0 errors, 1 warning, 0 hints");
    assertThat(captured.out().lines().skip(1)).allMatch(line -> line.length() <= 80);
  }

  @Test
  void nothingFound_isZero() throws Exception {
    assertThat(run(file("a.yml", CLEAN))).isEqualTo(ExitCode.OK);
    assertThat(captured.out()).isEqualTo("1 query in 1 file: 0 errors, 0 warnings, 0 hints\n");
  }

  @Test
  void badInput_namesTheLineAndJudgesTheRest() throws Exception {
    String bad = file("bad.yml", "a: b\nc: [\n");
    assertThat(run(bad, file("a.yml", OLD))).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).startsWith("inferometer: " + bad + ":2:");
    assertThat(captured.out()).contains("removed-metric");
    assertThat(run(folder.resolve("none.yml").toString())).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("none.yml: no such file");
    assertThat(run(folder.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains(": expected a file");
  }

  @Test
  void severityAndIgnore_leaveFindingsOut() throws Exception {
    String file = file("a.yml", OLD);
    assertThat(run(file, "--severity", "error")).isEqualTo(ExitCode.OK);
    assertThat(run(file, "--ignore", "removed-metric")).isEqualTo(ExitCode.OK);
    assertThat(run(file, "--ignore", "nonsense")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("no rule \"nonsense\"; there are parse-error, ");
    assertThat(run(file, "--severity", "fatal")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void json_isForPrograms() throws Exception {
    run(file("a.yml", OLD), "--format", "json");
    JsonNode report = new ObjectMapper().readTree(captured.out());
    assertThat(report.at("/version").asInt()).isEqualTo(1);
    assertThat(report.at("/warnings").asInt()).isEqualTo(1);
    assertThat(report.at("/scrapeInterval/seconds").asInt()).isEqualTo(15);
    JsonNode finding = report.at("/files/0/findings/0");
    assertThat(finding.at("/rule").asText()).isEqualTo("removed-metric");
    assertThat(finding.at("/line").asInt()).isEqualTo(5);
    assertThat(finding.at("/offset").asInt()).isZero();
    assertThat(finding.at("/fixable").asBoolean()).isTrue();
  }

  @Test
  void fix_writesACopyAndOverwritesNothing() throws Exception {
    String file = file("a.yml", OLD);
    assertThat(run(file, "--fix")).isEqualTo(ExitCode.FOUND);
    assertThat(folder.resolve("a.fixed.yml")).hasContent(CLEAN);
    assertThat(folder.resolve("a.yml")).hasContent(OLD);
    assertThat(captured.err()).isEqualTo(folder.resolve("a.fixed.yml") + ": 1 place corrected\n");
    assertThat(run(file, "--fix")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("exists already");
    assertThat(run(folder.resolve("a.fixed.yml").toString())).isEqualTo(ExitCode.OK);
  }

  @Test
  void fix_writesWhereItIsTold() throws Exception {
    String file = file("a.yml", OLD);
    run(file, "--fix", "--output", folder.resolve("out").toString());
    assertThat(folder.resolve("out/a.yml")).hasContent(CLEAN);
    run(file, "--fix", "--in-place");
    assertThat(captured.out()).contains("(corrected)").doesNotContain("can be corrected");
    assertThat(folder.resolve("a.yml")).hasContent(CLEAN);
    assertThat(run(file, "--in-place")).isEqualTo(ExitCode.USAGE);
    assertThat(run(file, "--fix", "--in-place", "--output", "x")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void inPlace_replacesTheFileInOneStep_behindALink_withItsPermissions() throws Exception {
    Path file = Path.of(file("real.yml", OLD));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Path link = Files.createSymbolicLink(folder.resolve("link.yml"), file);
    Path before = Files.createLink(folder.resolve("before"), file);
    run(link.toString(), "--fix", "--in-place");
    assertThat(link).isSymbolicLink().hasContent(CLEAN);
    assertThat(before).as("what a reader has open stays whole").hasContent(OLD);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).as("nothing is left beside it").hasSize(3);
    }
  }

  @Test
  void hiddenText_isNotSentToATerminal() throws Exception {
    run(file("a.yml", OLD.replace("alert: KvFull", "alert: \"Kv\\u202eFull\\u009b31m\"")));
    assertThat(captured.out()).contains("alert \"Kv Full 31m\"");
  }

  @Test
  void pages_tellWhichNamesThereAre() throws Exception {
    HttpServer server =
        serving("text/plain; version=0.0.4", "vllm:gpu_cache_usage_perc{model_name=\"m\"} 0.5\n");
    try {
      assertThat(run(file("a.yml", OLD), "--against", url(server, "/metrics"))).isZero();
      assertThat(run(file("b.yml", CLEAN), "--against", url(server, "/metrics")))
          .isEqualTo(ExitCode.FOUND);
      assertThat(captured.out().replaceAll("\\s+", " "))
          .contains(
              "no series now: "
                  + url(server, "/metrics")
                  + " (vLLM 0.10 or older) has no vllm:kv_cache_usage_perc; the metric exists in"
                  + " vLLM, since 0.9.2");
    } finally {
      server.stop(0);
    }
    assertThat(run(file("a.yml", OLD), "--against", url(server, "/metrics")))
        .isEqualTo(ExitCode.FAILED);
  }

  @Test
  void server_tellsWhichNamesThereAre() throws Exception {
    HttpServer server =
        serving(
            "application/json",
            "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":"
                + "{\"__name__\":\"vllm:gpu_cache_usage_perc\"},\"value\":[1,\"1\"]}]}}");
    try {
      assertThat(run(file("a.yml", OLD), "--server", url(server, ""))).isZero();
      assertThat(run(file("b.yml", CLEAN), "--backend", url(server, ""))).isEqualTo(ExitCode.FOUND);
      assertThat(captured.out()).contains("error  no-series");
    } finally {
      server.stop(0);
    }
    assertThat(run(file("a.yml", OLD), "--server", url(server, ""))).isEqualTo(ExitCode.FAILED);
    assertThat(run(file("a.yml", OLD), "--server", "::")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void dumpAndData_tellWhichNamesThereAre() throws Exception {
    String page = file("page.prom", "vllm:gpu_cache_usage_perc{model_name=\"m\"} 0.5\n");
    assertThat(run(file("a.yml", OLD), "--dump", page)).isZero();
    assertThat(run(file("a.yml", OLD), "--dump", "none")).isEqualTo(ExitCode.USAGE);
    assertThat(run(file("a.yml", OLD), "--data", folder.resolve("none").toString()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(run(file("a.yml", OLD), "--dump", page, "--server", "x")).isEqualTo(ExitCode.USAGE);
    Path series =
        Files.writeString(
            folder.resolve("s.om"),
            "# TYPE vllm:gpu_cache_usage_perc gauge\n"
                + "vllm:gpu_cache_usage_perc{model_name=\"m\"} 0.5 1699999990\n# EOF\n");
    Path data = folder.resolve("data");
    captured = new Captured();
    assertThat(
            new Cli(captured.console(false), () -> 1_700_000_000_000L, Ticker.system())
                .run("tsdb", "import", series.toString(), data.toString()))
        .isZero();
    assertThat(run(file("a.yml", OLD), "--data", data.toString())).isZero();
    assertThat(run(file("b.yml", CLEAN), "--data", data.toString())).isEqualTo(ExitCode.FOUND);
  }

  @Test
  void interval_isTaken() throws Exception {
    String file = file("a.yml", "groups: [{rules: [{record: r, expr: 'rate(a_total[1m])'}]}]\n");
    assertThat(run(file)).isZero();
    assertThat(run(file, "--interval", "30s")).isEqualTo(ExitCode.FOUND);
    assertThat(captured.out().replaceAll("\\s+", " "))
        .contains("holds 2 scrapes at an interval of 30 s (--interval): take at least 2 min");
  }

  @Test
  void intervalOfServer_isAsked() throws Exception {
    HttpServer server =
        serving(
            "application/json",
            "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":"
                + "{\"__name__\":\"a_total\"},\"value\":[1,\"20\"]}]}}");
    try {
      String file = file("a.yml", "groups: [{rules: [{record: r, expr: 'rate(a_total[1m])'}]}]\n");
      assertThat(run(file, "--server", url(server, ""))).isEqualTo(ExitCode.FOUND);
    } finally {
      server.stop(0);
    }
    assertThat(captured.out().replaceAll("\\s+", " "))
        .contains("holds 2 scrapes at an interval of 30 s (as the server scrapes)");
  }
}
