package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.inferometer.http.Connections;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileRequestsTest {
  private TestServer server;

  @BeforeAll
  void start() {
    server = new TestServer();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void longQuery_isTakenByPost() throws Exception {
    String query = "x".repeat(1_000_000);
    server.queries.answer(query, new QueryValue.Scalar(0, 1));
    assertThat(server.post("/api/v1/query", "query=" + query).statusCode()).isEqualTo(200);
  }

  @Test
  void longQueryInTheUrl_isTakenUpToALimit() throws Exception {
    String query = "y".repeat(100_000);
    server.queries.answer(query, new QueryValue.Scalar(0, 1));
    assertThat(server.send("GET", "/api/v1/query?query=" + query).statusCode()).isEqualTo(200);
    String longer =
        "GET /api/v1/query?query=" + "y".repeat(1_000_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assertThat(firstLine(rawOrClosed(longer))).matches("|HTTP/1.1 414 .*");
  }

  @Test
  void bodyBeyondTheLimit_isRefused() throws Exception {
    String head =
        """
        POST /api/v1/query HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/x-www-form-urlencoded\r
        Content-Length: 99999999\r
        \r
        """;
    assertThat(server.raw(head)).startsWith("HTTP/1.1 413 ");
  }

  @Test
  void bodiesBeyondTheRoomForAll_areRefusedUntilThereIsRoom() throws Exception {
    server.queries.answer("1", new QueryValue.Scalar(0, 1));
    HttpResponse<String> refused =
        server.post("/api/v1/query", "x=" + "y".repeat(TestServer.BODIES_BYTES_MAX));
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("unavailable", "bodies of all requests");
    for (int i = 0; i < 5; i++) {
      String body = "query=1&x=" + "y".repeat(TestServer.BODIES_BYTES_MAX / 2);
      assertThat(server.post("/api/v1/query", body).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void resultBeyondTheRoomForAll_isRefusedUntilThereIsRoom() throws Exception {
    int points = TestServer.RESULTS_BYTES_MAX / 16;
    server.queries.answer("big", matrix(points + 1));
    HttpResponse<String> refused = server.send("GET", "/api/v1/query?query=big");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("unavailable", "results that clients take");
    server.queries.answer("half", matrix(points / 2));
    for (int i = 0; i < 3; i++) {
      assertThat(server.send("HEAD", "/api/v1/query?query=half").statusCode()).isEqualTo(200);
    }
  }

  private static QueryValue matrix(int points) {
    return new QueryValue.Matrix(
        List.of(new QueryValue.MatrixSeries(Labels.EMPTY, new long[points], new double[points])));
  }

  @Test
  void tooManyParameters_areRefused() throws Exception {
    HttpResponse<String> response =
        server.post("/api/v1/query", "a=1&".repeat(Parameters.COUNT_MAX + 1));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("more than 10000 parameters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GARBAGE\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET /api/v1/query?query=\u0000 HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
        "POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        """
        POST /api/v1/query HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/x-www-form-urlencoded\r
        Transfer-Encoding: chunked\r
        \r
        zz\r
        """,
      })
  void brokenRequests_endTheConnectionWithoutHarm(String request) throws Exception {
    assertThat(firstLine(rawOrClosed(request))).matches("|HTTP/1.1 [45]\\d\\d .*");
    assertThat(server.send("GET", "/api/v1/labels").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, 200",
    "localhost:9765, 200",
    "LOCALHOST, 200",
    "127.0.0.1:80, 200",
    "[::1]:9765, 200",
    "meter.example:80, 200",
    "evil.example, 403",
    "localhost.evil.example:9765, 403",
    "127.0.0.1.evil.example, 403"
  })
  void host_mustBeOneOfOurs(String host, int status) throws Exception {
    String answer =
        server.raw(
            "GET /api/v1/labels HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    assertThat(firstLine(answer)).startsWith("HTTP/1.1 " + status + " ");
  }

  @Test
  void pagesOfOtherSites_mayNotPost() throws Exception {
    String own = "http://127.0.0.1:" + server.port();
    assertThat(server.post("/api/v1/labels", "", "Origin", own).statusCode()).isEqualTo(200);
    for (String other : new String[] {"http://evil.example", "null", "http://127.0.0.1:1"}) {
      assertThat(server.post("/api/v1/labels", "", "Origin", other).statusCode()).isEqualTo(403);
      assertThat(server.send("PUT", "/-/reload", "Origin", other).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void answers_carrySecurityHeadersAndNoPermissionForOtherSites() throws Exception {
    HttpResponse<String> response =
        server.send("GET", "/api/v1/labels", "Origin", "http://evil.example");
    assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(response.headers().firstValue("X-Frame-Options")).contains("DENY");
    assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'self'");
    assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
  }

  @Test
  void unknownRoutes_areNotFoundInJson() throws Exception {
    for (String path : new String[] {"/api/v1/unknown", "/api", "/-/unknown", "/debug/pprof"}) {
      HttpResponse<String> response = server.send("GET", path);
      assertThat(response.statusCode()).as(path).isEqualTo(404);
      assertThat(response.body())
          .isEqualTo(
              "{\"status\":\"error\",\"errorType\":\"not_found\",\"error\":\"no such route: "
                  + path
                  + "\"}");
    }
  }

  /** A query that outlasts several looks of the watch over connections. */
  @Test
  void slowQuery_isAnsweredToAClientThatWaits() throws Exception {
    try (Socket socket = server.connect()) {
      String request = "GET /api/v1/query?query=hang HTTP/1.1\r\nHost: localhost\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(server.queries.hanging.await(20, TimeUnit.SECONDS)).isTrue();
      Thread.sleep(Connections.WATCH_INTERVAL.multipliedBy(4));
      server.queries.goOn.countDown();
      byte[] answer = new byte[12];
      assertThat(socket.getInputStream().readNBytes(answer, 0, 12)).isEqualTo(12);
      assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
    }
  }

  private String rawOrClosed(String request) {
    try {
      return server.raw(request);
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("no answer and no end", e);
    } catch (java.io.IOException e) {
      return "";
    }
  }

  private static String firstLine(String answer) {
    return answer.lines().findFirst().orElse("");
  }
}
