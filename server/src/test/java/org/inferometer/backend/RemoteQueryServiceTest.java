package org.inferometer.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.query.BatchOutcome;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService.BatchQuery;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryService.RangeQuery;
import org.inferometer.query.QueryService.TimeRange;
import org.inferometer.query.QueryValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemoteQueryServiceTest {
  private static final String VECTOR =
      """
      {"status":"success","data":{"resultType":"vector","result":[
      {"metric":{"__name__":"up","job":"a"},"value":[1.5,"1"]},
      {"metric":{},"value":[1.5,"+Inf"]}]},"warnings":["w"],"infos":["i"]}
      """;

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private volatile String answer = VECTOR;
  private volatile boolean isGzip;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    asked.add(
        exchange.getRequestMethod()
            + " "
            + URLDecoder.decode(exchange.getRequestURI() + " " + form, StandardCharsets.UTF_8)
            + " "
            + exchange.getRequestHeaders().getFirst("Authorization"));
    byte[] body = answer.getBytes(StandardCharsets.UTF_8);
    if (isGzip) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
        gzip.write(body);
      }
      body = packed.toByteArray();
      exchange.getResponseHeaders().add("Content-Encoding", "gzip");
    }
    if (status / 100 == 3) {
      exchange.getResponseHeaders().add("Location", "file:///etc/passwd");
    }
    int code = status == 405 && exchange.getRequestMethod().equals("GET") ? 200 : status;
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private RemoteQueryService service() {
    return new RemoteQueryService(BackendAddress.parse("http://" + address() + "/"));
  }

  private String failure() {
    try (RemoteQueryService service = service()) {
      service.instant(new InstantQuery("up", 1_500));
      return "";
    } catch (QueryException e) {
      String message = String.valueOf(e.getMessage());
      assertThat(message).startsWith("http://" + address() + ": ");
      return e.kind() + " " + message.substring(("http://" + address() + ": ").length());
    }
  }

  @Test
  void instant_isPostedAndReadWithItsWarnings() throws QueryException {
    for (boolean packed : List.of(false, true)) {
      isGzip = packed;
      try (RemoteQueryService service = service()) {
        var result = service.instant(new InstantQuery("up{a=\"b&c\"}", 1_500));
        assertThat(result.warnings()).containsExactly("w");
        assertThat(result.infos()).containsExactly("i");
        assertThat(result.value())
            .isEqualTo(
                new QueryValue.Vector(
                    List.of(
                        new QueryValue.Element(Labels.of("__name__", "up", "job", "a"), 1_500, 1),
                        new QueryValue.Element(Labels.EMPTY, 1_500, Double.POSITIVE_INFINITY))));
      }
    }
    assertThat(asked.getFirst())
        .isEqualTo("POST /api/v1/query query=up{a=\"b&c\"}&time=1.500 null");
  }

  @Test
  void range_isSortedByLabels() throws QueryException {
    answer =
        """
        {"status":"success","data":{"resultType":"matrix","result":[
        {"metric":{"a":"2"},"values":[[1,"NaN"]]},
        {"metric":{"a":"1"},"values":[[1,"1"],[2.5,"-Inf"]]}]}}
        """;
    try (RemoteQueryService service = service()) {
      var matrix =
          (QueryValue.Matrix) service.range(new RangeQuery("x", 1_000, 3_000, 1_500)).value();
      assertThat(matrix.series()).hasSize(2);
      assertThat(matrix.series().getFirst().labels()).isEqualTo(Labels.of("a", "1"));
      assertThat(matrix.series().getFirst().timestampsMs()).containsExactly(1_000, 2_500);
      assertThat(matrix.series().getFirst().values()).containsExactly(1, Double.NEGATIVE_INFINITY);
    }
    assertThat(asked.getFirst())
        .startsWith("POST /api/v1/query_range query=x&start=1.000&end=3.000&step=1.500");
  }

  @Test
  void batch_keepsItsOrderAndItsFailures() throws QueryException {
    try (RemoteQueryService service = service()) {
      var outcomes = service.batch(BatchQuery.at(List.of("a", "b", "c"), 1_500));
      assertThat(outcomes).hasSize(3).allMatch(o -> o instanceof BatchOutcome.Answered);
      answer = "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse error\"}";
      status = 400;
      assertThat(service.batch(BatchQuery.at(List.of("a", "b"), 1_500)))
          .allMatch(o -> o instanceof BatchOutcome.Failed);
    }
  }

  @Test
  void labelsAndSeries_areSortedAndLimited() throws QueryException {
    answer = "{\"status\":\"success\",\"data\":[\"b\",\"a\",\"c\"]}";
    TimeRange range = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);
    var selection = List.of(List.of(Matcher.equal("__name__", "up")));
    try (RemoteQueryService service = service()) {
      assertThat(service.labelNames(selection, range, 2)).containsExactly("a", "b");
      assertThat(service.labelValues("jo b", selection, range, 0)).containsExactly("a", "b", "c");
      answer = "{\"status\":\"success\",\"data\":[{\"a\":\"2\"},{\"a\":\"1\"}]}";
      assertThat(service.series(selection, new TimeRange(1_000, 2_000), 0))
          .containsExactly(Labels.of("a", "1"), Labels.of("a", "2"));
      answer =
          "{\"status\":\"success\",\"data\":{\"up\":[{\"type\":\"gauge\",\"help\":\"h\",\"unit\":\"\"}]}}";
      assertThat(service.metadata().get("up")).hasSize(1);
    }
    assertThat(asked.get(0)).startsWith("POST /api/v1/labels match[]={__name__=\"up\"}&limit=2");
    assertThat(asked.get(1)).startsWith("GET /api/v1/label/");
    assertThat(asked.get(2)).contains("start=1.000&end=2.000");
  }

  @Test
  void refusedPost_isAskedWithGet() throws QueryException {
    status = 405;
    try (RemoteQueryService service = service()) {
      assertThat(service.instant(new InstantQuery("up", 1_500)).value().sampleEquivalents())
          .isEqualTo(2);
    }
    assertThat(asked.getLast()).startsWith("GET /api/v1/query?query=up&time=1.500");
  }

  @Test
  void failures_areSentencesThatNameThePlace() {
    status = 400;
    answer = "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse error: x\"}";
    assertThat(failure()).isEqualTo("BAD_DATA parse error: x");
    status = 302;
    answer = "";
    assertThat(failure()).contains("redirects elsewhere");
    assertThat(asked).hasSize(2);
    status = 401;
    assertThat(failure()).contains("credentials");
    status = 200;
    answer = "<html>\u001b[31m hello</html>";
    assertThat(failure())
        .isEqualTo(
            "EXECUTION expected an answer of Prometheus's API, got HTTP 200: <html> [31m"
                + " hello</html>");
    for (String bad :
        List.of(
            "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"value\":[1,\"x\"]}]}}",
            "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{}]}}",
            "{\"status\":\"success\"}",
            "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[]}}",
            "[]",
            "",
            "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"histogram\":[1,{}]}]}}")) {
      answer = bad;
      assertThat(failure()).as(bad).startsWith("EXECUTION ");
    }
  }

  @Test
  void longAnswers_areRefused() {
    for (boolean packed : List.of(false, true)) {
      isGzip = packed;
      answer = " ".repeat(3_000_000) + VECTOR;
      var address = BackendAddress.parse(address());
      try (var service = new RemoteQueryService(address, Duration.ofSeconds(20), 2 << 20)) {
        assertThatThrownBy(() -> service.instant(new InstantQuery("up", 1_500)))
            .isInstanceOf(QueryException.class)
            .hasMessageContaining("more than 2 MiB");
      }
    }
  }

  @Test
  void credentials_areSentAndNeverShown() throws QueryException {
    var address = BackendAddress.parse("http://me:s3cret@" + address());
    assertThat(address.toString()).isEqualTo("http://" + address());
    try (RemoteQueryService service = new RemoteQueryService(address)) {
      service.instant(new InstantQuery("up", 1_500));
      assertThat(asked.getLast()).endsWith("Basic bWU6czNjcmV0");
      status = 500;
      answer = "oops";
      assertThatThrownBy(() -> service.instant(new InstantQuery("up", 1_500)))
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void answerThatNeverEnds_isGivenUp() {
    CountDownLatch end = new CountDownLatch(1);
    server.createContext(
        "/slow",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(' ');
          exchange.getResponseBody().flush();
          awaits(end);
          exchange.close();
        });
    BackendAddress slow = BackendAddress.parse(address() + "/slow");
    try (RemoteQueryService service =
        new RemoteQueryService(slow, Duration.ofMillis(200), 1 << 20)) {
      assertThatThrownBy(() -> service.instant(new InstantQuery("up", 1_500)))
          .isInstanceOfSatisfying(
              QueryException.class,
              e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.TIMEOUT));
    } finally {
      end.countDown();
    }
  }

  private static void awaits(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void noServer_isToldOnce() {
    String free = address();
    server.stop(0);
    try (RemoteQueryService service = new RemoteQueryService(BackendAddress.parse(free))) {
      assertThatThrownBy(() -> service.batch(BatchQuery.at(List.of("a", "b"), 1_500)))
          .isInstanceOf(QueryException.class)
          .hasMessage("http://" + free + ": nothing answers there");
    }
  }

  @Test
  void address_isRefusedIfItIsNone() {
    for (String bad : List.of("file:///etc/passwd", "http://", "ftp://a", "a b", "http://a?x=1")) {
      assertThatThrownBy(() -> BackendAddress.parse(bad))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> BackendAddress.parse("http://u:s3cret@a b"))
        .hasMessageNotContaining("s3cret");
    assertThat(BackendAddress.parse("a:9090/prom/").toString()).isEqualTo("http://a:9090/prom");
  }
}
