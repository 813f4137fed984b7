package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Collectors;
import org.inferometer.io.Disk;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DiagnoseCommandTest {
  private static final long LATER_MS = ServedFleet.START_MS + 86_400_000;

  private Captured captured = new Captured();
  @TempDir private Path folder;
  private ServedFleet fleet;

  @BeforeEach
  void start() throws IOException {
    fleet = new ServedFleet(folder);
  }

  @AfterEach
  void stop() {
    fleet.close();
  }

  private int run(String... args) {
    captured = new Captured();
    return new Cli(captured.console(false), () -> LATER_MS, Ticker.system()).run(args);
  }

  /** Against the fleet, in its time. */
  private int live(String command, String... args) {
    captured = new Captured();
    Console console = captured.console(false);
    Object it =
        command.equals("diagnose")
            ? new DiagnoseCommand(
                console, Disk.real(), fleet.clock(), fleet.ticker(), fleet.pause())
            : new SnapshotCommand(console, fleet.clock(), fleet.ticker(), fleet.pause());
    List<String> all = new ArrayList<>(fleet.urls());
    all.addAll(List.of(args));
    return new CommandLine(it)
        .setExecutionExceptionHandler(
            (e, _, _) -> {
              console.problem(String.valueOf(e.getMessage()));
              return e instanceof CommandException known ? known.exitCode() : 99;
            })
        .execute(all.toArray(String[]::new));
  }

  private Path series() throws IOException {
    Path file = folder.resolve("small.om");
    int code =
        run(
            "simulate",
            "--scenario",
            folder.resolve("small.yaml").toString(),
            "--for",
            "6m",
            "--out",
            file.toString());
    assertThat(code).as(captured.err()).isZero();
    return file;
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper()
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .readTree(captured.out());
  }

  // ------------------------------------------------------------------------------------- live

  @Test
  void snapshot_diagnosesAsTheLiveLookDid() throws IOException {
    Path file = folder.resolve("a.zip");
    assertThat(live("snapshot", "--for", "1m", "-o", file.toString())).as(captured.err()).isZero();
    assertThat(captured.err()).contains("a.zip: ", " pages of ", " over 1m0s");
    run("diagnose", "--snapshot", file.toString(), "--format", "json");
    String first = captured.out();
    assertThat(json().path("services").path(0).path("service").asText()).contains("small-8b");
    assertThat(
            json().path("window").path("end").asLong()
                - json().path("window").path("start").asLong())
        .isEqualTo(60);
    run("diagnose", "--snapshot", file.toString(), "--format", "json");
    assertThat(captured.out()).isEqualTo(first);
    assertThat(run("query", "count(up)", "--snapshot", file.toString())).isZero();
    assertThat(captured.out()).contains(String.valueOf(fleet.urls().size()));
  }

  @Test
  void snapshot_givesTheSameBytesInAnotherCountry() {
    Path file = folder.resolve("a.zip");
    live("snapshot", "--for", "30s", "-o", file.toString());
    run("diagnose", "--snapshot", file.toString(), "--format", "json");
    String here = captured.out();
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    try {
      Locale.setDefault(Locale.of("ar", "EG"));
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
      Main.beAlikeEverywhere();
      run("diagnose", "--snapshot", file.toString(), "--format", "json");
      assertThat(captured.out()).isEqualTo(here);
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }

  @Test
  void liveUrls_areScrapedForAWhile() throws IOException {
    int code = live("diagnose", "--for", "1m", "--format", "json");
    assertThat(code).as(captured.err()).isIn(ExitCode.OK, ExitCode.FOUND);
    assertThat(captured.err()).startsWith("Scraping ").contains("for 1m0s; Ctrl-C ends it early.");
    assertThat(json().path("services")).hasSize(1);
  }

  @Test
  void deadUrl_couldNotBeDone() throws IOException {
    int code = run("diagnose", "http://127.0.0.1:1/metrics", "--for", "1s");
    assertThat(code).isEqualTo(ExitCode.FAILED);
    assertThat(captured.err()).contains("http://127.0.0.1:1/metrics: ");
    assertThat(captured.out()).isEmpty();
  }

  // --------------------------------------------------------------------------------- recorded

  @Test
  void series_isDiagnosedInEveryFormat() throws IOException {
    String file = series().toString();
    int code = run("diagnose", "--series", file);
    assertThat(code).as(captured.err()).isIn(ExitCode.OK, ExitCode.FOUND);
    assertThat(captured.out().lines())
        .allMatch(line -> line.codePointCount(0, line.length()) <= 80)
        .first()
        .asString()
        .contains("small-8b: ");
    assertThat(captured.out()).contains("Judged: 20").doesNotContain("\u001b");
    assertThat(run("diagnose", "--series", file, "--format", "json")).isEqualTo(code);
    assertThat(json().path("services").path(0).path("state").isTextual()).isTrue();
    assertThat(run("diagnose", "--series", file, "--format", "markdown")).isEqualTo(code);
    assertThat(captured.out()).startsWith("# ");
    Path html = folder.resolve("a.html");
    assertThat(run("diagnose", "--series", file, "--format", "html", "-o", html.toString()))
        .isEqualTo(code);
    assertThat(captured.out()).isEmpty();
    assertThat(html).content().startsWith("<!DOCTYPE html>").endsWith("</html>\n");
  }

  @Test
  void seriesWithoutUpAndInstances_isDiagnosedAsWell() throws IOException {
    Path file = series();
    String stripped;
    try (var lines = Files.lines(file)) {
      stripped =
          lines
              .filter(line -> !line.startsWith("up{") && !line.startsWith("# TYPE up "))
              .filter(line -> !line.startsWith("scrape_") && !line.startsWith("# TYPE scrape_"))
              .map(line -> line.replaceAll("(instance|job)=\"[^\"]*\",?", ""))
              .collect(Collectors.joining("\n", "", "\n"));
    }
    Path bare = folder.resolve("bare.om");
    Files.writeString(bare, stripped);
    assertThat(run("diagnose", "--series", bare.toString(), "--format", "json"))
        .as(captured.err())
        .isIn(ExitCode.OK, ExitCode.FOUND);
    assertThat(json().path("services").path(0).path("service").asText()).contains("small-8b");
  }

  @Test
  void backend_answersAsTheFileDoes() throws IOException {
    Path file = series();
    run("diagnose", "--series", file.toString(), "--format", "json");
    JsonNode local = json();
    try (SeriesSource source =
        SeriesSource.ofSeriesFile(
            new Captured().console(false), file.toString(), () -> LATER_MS, Ticker.system())) {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/api/v1/", exchange -> answer(exchange, source));
      server.start();
      int code =
          run(
              "diagnose",
              "--backend",
              "127.0.0.1:" + server.getAddress().getPort(),
              "--at",
              local.path("window").path("end").decimalValue().toPlainString(),
              "--format",
              "json");
      server.stop(0);
      assertThat(code).as(captured.err()).isIn(ExitCode.OK, ExitCode.FOUND);
      assertThat(json()).isEqualTo(local);
    }
  }

  /** Answers as the API does. */
  private static void answer(HttpExchange exchange, SeriesSource source) throws IOException {
    Map<String, String> form = new HashMap<>();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    for (String field : body.split("&")) {
      String[] pair = field.split("=", 2);
      form.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
    }
    QuerySource.Local local = new QuerySource.Local(source);
    String query = String.valueOf(form.get("query"));
    ServerClient.Answer answer =
        form.containsKey("time")
            ? local.instant(query, ms(form, "time"))
            : local.range(query, ms(form, "start"), ms(form, "end"), ms(form, "step"));
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static long ms(Map<String, String> form, String name) {
    return Math.round(Double.parseDouble(String.valueOf(form.get(name))) * 1000);
  }

  @Test
  void nothingOfAnEngine_couldNotBeDone() throws IOException {
    Path file = folder.resolve("none.om");
    Files.writeString(file, "up{job=\"a\",instance=\"b\"} 1 1790000000\n# EOF\n");
    assertThat(run("diagnose", "--series", file.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(captured.out()).contains("No inference engine is watched.");
    assertThat(captured.err()).contains("no samples of an inference engine");
  }

  @Test
  void wrongUsage_saysWhatWasExpected() throws IOException {
    assertThat(run("diagnose")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("expected a URL, --server");
    assertThat(run("diagnose", "a:8000", "--series", "x")).isEqualTo(ExitCode.USAGE);
    assertThat(run("diagnose", "a:8000", "--at", "now")).isEqualTo(ExitCode.USAGE);
    assertThat(run("diagnose", "--series", "no-such.om")).isEqualTo(ExitCode.USAGE);
    assertThat(run("diagnose", "--backend", "ftp://u:s3cret@x")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("--backend: ").doesNotContain("s3cret");
    assertThat(run("diagnose", "--snapshot", folder.resolve("no.zip").toString()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("snapshot", "a:8000")).isEqualTo(ExitCode.USAGE);
    String file = series().toString();
    assertThat(run("diagnose", "--series", file, "--service", "none")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("found \"none\", expected an engine of: vllm/");
    assertThat(run("diagnose", "--series", file, "--slo", "speed=1s")).isEqualTo(ExitCode.USAGE);
    assertThat(run("diagnose", "--series", file, "--baseline", "now..now-1m"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("diagnose", "--series", file, "--window", "2d")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("--window: expected at most 1d");
  }

  @Test
  void windowOfADay_isJudged() throws IOException {
    int code = run("diagnose", "--series", series().toString(), "--window", "1d");
    assertThat(code).as(captured.err()).isIn(ExitCode.OK, ExitCode.FOUND);
  }

  @Test
  void backendThatIsDown_couldNotBeDone() {
    assertThat(run("diagnose", "--backend", "http://127.0.0.1:1")).isEqualTo(ExitCode.FAILED);
    assertThat(captured.err()).contains("http://127.0.0.1:1: nothing answers there");
  }
}
