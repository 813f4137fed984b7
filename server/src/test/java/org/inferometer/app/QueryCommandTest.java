package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueryCommandTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  private final Captured captured = new Captured();
  private final List<String> asked = new ArrayList<>();
  private String answer = "";
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String form =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.add(exchange.getRequestURI() + " " + form);
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("query"));
    all.addAll(List.of(args));
    all.addAll(List.of("--server", "127.0.0.1:" + server.getAddress().getPort()));
    return new Cli(captured.console(false), () -> NOW_MS, Ticker.system())
        .run(all.toArray(String[]::new));
  }

  @Test
  void vector_isATableOfTheLabelsThatDiffer() {
    answer =
        """
        {"status":"success","data":{"resultType":"vector","result":[
        {"metric":{"__name__":"up","job":"node","instance":"127.0.0.1:9100"},"value":[1,"1"]},
        {"metric":{"__name__":"up","job":"node","instance":"b"},"value":[1,"0.333333333333"]}]}}
        """;
    assertThat(run("up")).isZero();
    assertThat(asked).containsExactly("/api/v1/query query=up");
    assertThat(captured.out())
        .isEqualTo(
            """
            up{job="node"}
            instance           VALUE
            127.0.0.1:9100         1
            b               0.333333
            """);
  }

  @Test
  void wideLabels_standAfterTheValue() {
    String wide = "w".repeat(70);
    answer =
        """
        {"status":"success","data":{"resultType":"vector","result":[
        {"metric":{"a":"%s","b":"12345"},"value":[1,"NaN"]},
        {"metric":{"b":"\\u001b[31mred"},"value":[1,"1e+30"]}]}}
        """
            .formatted(wide);
    assertThat(run("x")).isZero();
    assertThat(captured.out())
        .isEqualTo(
            "VALUE  SERIES\n  NaN  {a=\""
                + wide
                + "\", b=\"12345\"}\n"
                + "1e+30  {b=\"\\x1b[31mred\"}\n");
  }

  @Test
  void range_isASparklinePerSeries() {
    answer =
        """
        {"status":"success","data":{"resultType":"matrix","result":[
        {"metric":{"a":"1"},"values":[[60,"0"],[120,"7"],[240,"3.5"]]}]}}
        """;
    assertThat(run("x", "--start", "60", "--end", "240", "--step", "1m")).isZero();
    assertThat(asked)
        .containsExactly("/api/v1/query_range query=x&start=60.000&end=240.000&step=60.000");
    assertThat(captured.out())
        .isEqualTo(
            """
            1970-01-01T00:01:00Z to 1970-01-01T00:04:00Z
            {a="1"}
            MIN  MAX  LAST  COURSE
              0    7   3.5  ▁█ ▅
            """);
  }

  @Test
  void json_isPassedOnAsItCame() {
    answer = "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}";
    assertThat(run("x", "--format", "json", "--at", "now-1m")).isZero();
    assertThat(asked).containsExactly("/api/v1/query query=x&time=1699999940.000");
    assertThat(captured.out()).isEqualTo(answer + "\n");
  }

  @Test
  void warnings_goToStandardError() {
    answer =
        """
        {"status":"success","data":{"resultType":"scalar","result":[1,"2"]},"warnings":["w"]}
        """;
    assertThat(run("x")).isZero();
    assertThat(captured.out()).isEqualTo("2\n");
    assertThat(captured.err()).isEqualTo("warning: w\n");
  }

  @Test
  void badQuery_isBadInput() {
    answer = "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"1:2: parse error: x\"}";
    assertThat(run("x")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).isEqualTo("inferometer: 1:2: parse error: x\n");
  }

  @Test
  void failedQuery_couldNotBeDone() {
    answer = "{\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"too slow\"}";
    assertThat(run("x")).isEqualTo(ExitCode.FAILED);
    answer = "<html>";
    assertThat(run("x")).isEqualTo(ExitCode.FAILED);
    assertThat(captured.err()).contains("isn't that of a Prometheus API");
  }

  @Test
  void noServer_couldNotBeDone() {
    server.stop(0);
    assertThat(run("x")).isEqualTo(ExitCode.FAILED);
    assertThat(captured.err()).contains("no server answers at http://127.0.0.1:");
  }

  @Test
  void optionsThatDontGoTogether_areWrongUsage() {
    assertThat(run("x", "--step", "1m")).isEqualTo(ExitCode.USAGE);
    assertThat(run("x", "--at", "now", "--start", "now-1h")).isEqualTo(ExitCode.USAGE);
    assertThat(run("x", "--start", "now", "--end", "now-1h")).isEqualTo(ExitCode.USAGE);
    assertThat(run("x", "--server", "ftp://x")).isEqualTo(ExitCode.USAGE);
    assertThat(asked).isEmpty();
  }
}
