package org.inferometer.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.config.Urls;
import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpFetcherTest {
  /** Long for what must not happen, short for what must: hanging servers cost so much. */
  private static final long LONG_MS = 20_000;

  private static final long SHORT_MS = 60;

  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

  private final MemoryBudget budget = new MemoryBudget(64 << 20);
  private final HttpFetcher fetcher = new HttpFetcher(Ticker.system(), "Inferometer/test", budget);

  @AfterEach
  void close() {
    fetcher.close();
  }

  private static Target target(String url) {
    return target(Urls.scrapeConfig(url));
  }

  private static Target target(ScrapeConfig config) {
    return Target.of(config).targets().getFirst();
  }

  private static ScrapeConfig job(String address, String keys) {
    return ScrapeWorld.configs(
            "scrape_configs: [{job_name: j, static_configs: [{targets: ['"
                + address
                + "']}], "
                + keys
                + "}]")
        .getFirst();
  }

  private String get(Target target) throws ScrapeException, InterruptedException {
    try (Fetcher.Client client = fetcher.client(target)) {
      String body = get(client, target);
      client.release();
      return body;
    }
  }

  private static String get(Fetcher.Client client, Target target)
      throws ScrapeException, InterruptedException {
    Fetcher.Page page = client.fetch(target.url(), LONG_MS);
    return new String(page.body(), 0, page.length(), StandardCharsets.UTF_8);
  }

  /** The failure of a fetch; afterwards no memory is held. */
  private ScrapeException failure(Target target, long timeoutMs) {
    try (Fetcher.Client client = fetcher.client(target)) {
      ScrapeException failure =
          catchThrowableOfType(ScrapeException.class, () -> client.fetch(target.url(), timeoutMs));
      assertThat(failure).as("failure of " + target.url()).isNotNull();
      assertThat(budget.free()).isEqualTo(64 << 20);
      return failure;
    }
  }

  private String sentence(String response) throws IOException {
    try (HostileServer server = HostileServer.saying(response)) {
      return failure(target(server.address() + "/m"), LONG_MS).sentence();
    }
  }

  private String sentenceAboutTimeout(HostileServer server, String scheme) throws IOException {
    try (server) {
      ScrapeException failure = failure(target(scheme + server.address() + "/m"), SHORT_MS);
      assertThat(failure.reason()).isEqualTo(FailureReason.TIMEOUT);
      return failure.sentence();
    }
  }

  @Test
  void request_saysWhatPrometheusSays() throws Exception {
    try (HostileServer server = HostileServer.page("a 1\n")) {
      assertThat(get(target("http://u:p@" + server.address() + "/m?x=1"))).isEqualTo("a 1\n");
      assertThat(server.requests.getFirst().lines())
          .containsExactly(
              "GET /m?x=1 HTTP/1.1",
              "Host: " + server.address(),
              "User-Agent: Inferometer/test",
              "Accept: application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily"
                  + ";encoding=delimited;q=0.6,"
                  + "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
                  + "application/openmetrics-text;version=0.0.1;q=0.4,"
                  + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,"
                  + "text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
              "Accept-Encoding: gzip",
              "X-Prometheus-Scrape-Timeout-Seconds: 20.0",
              "Authorization: Basic dTpw",
              "");
    }
  }

  @Test
  void token_isSentAndCompressionMayBeOff() throws Exception {
    try (HostileServer server = HostileServer.page("a 1\n")) {
      get(target(job(server.address(), "bearer_token: t0ken, enable_compression: false")));
      assertThat(server.requests.getFirst())
          .contains("Authorization: Bearer t0ken\r\n")
          .contains("Accept-Encoding: identity\r\n");
    }
  }

  @Test
  void tokenThatCantBeSent_failsWithoutShowingIt() {
    ScrapeException broken =
        failure(target(job("127.0.0.1:1", "bearer_token: \"hun\\nter2\"")), LONG_MS);
    assertThat(broken.reason()).isEqualTo(FailureReason.CREDENTIALS);
    assertThat(broken.sentence()).contains("line break").doesNotContain("ter2");
    ScrapeException missing =
        failure(target(job("127.0.0.1:1", "bearer_token_file: /nowhere/token")), LONG_MS);
    assertThat(missing.sentence()).contains("/nowhere/token");
  }

  @Test
  void connection_isKept() throws Exception {
    try (HostileServer server = HostileServer.page("a 1\n")) {
      Target target = target(server.address() + "/m");
      try (Fetcher.Client client = fetcher.client(target)) {
        for (int i = 0; i < 5; i++) {
          assertThat(get(client, target)).isEqualTo("a 1\n");
        }
      }
      assertThat(server.requests).hasSize(5);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void keptConnectionThatTheServerClosed_isMadeAnew() throws Exception {
    String page = OK + "Content-Length: 4\r\n\r\na 1\n";
    try (HostileServer server = HostileServer.saying(page)) {
      Target target = target(server.address() + "/m");
      try (Fetcher.Client client = fetcher.client(target)) {
        assertThat(get(client, target)).isEqualTo("a 1\n");
        assertThat(get(client, target)).isEqualTo("a 1\n");
      }
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void bodies_endByLengthChunksOrConnection() throws Exception {
    for (String rest :
        List.of(
            "Content-Length: 8\r\n\r\na 1\nb 2\n",
            "Transfer-Encoding: chunked\r\n\r\n4;x=y\r\na 1\n\r\n4\r\nb 2\n\r\n0\r\nT: t\r\n\r\n",
            "\r\na 1\nb 2\n")) {
      try (HostileServer server =
          HostileServer.saying("HTTP/1.1 100 Continue\r\n\r\n" + OK + rest)) {
        assertThat(get(target(server.address() + "/m"))).isEqualTo("a 1\nb 2\n");
      }
    }
  }

  @Test
  void gzip_isDecoded() throws Exception {
    byte[] zipped = gzip("a 1\n".repeat(1_000).getBytes(StandardCharsets.UTF_8));
    try (HostileServer server = gzipServer(zipped, "keep-alive")) {
      Target target = target(server.address() + "/m");
      try (Fetcher.Client client = fetcher.client(target)) {
        assertThat(get(client, target)).hasSize(4_000);
        assertThat(get(client, target)).hasSize(4_000);
      }
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(zipped)) {
      out.write(bytes);
    }
    return zipped.toByteArray();
  }

  private static HostileServer gzipServer(byte[] zipped, String connection) throws IOException {
    String head =
        OK
            + "Content-Encoding: gzip\r\nConnection: "
            + connection
            + "\r\nContent-Length: "
            + zipped.length
            + "\r\n\r\n";
    return new HostileServer(
        out -> {
          out.write(head.getBytes(StandardCharsets.UTF_8));
          out.write(zipped);
          out.flush();
        });
  }

  @Test
  void gzipBomb_stopsAtTheLimitOfUncompressedBytes() throws Exception {
    byte[] bomb = gzip(new byte[20_000_000]);
    assertThat(bomb).hasSizeLessThan(30_000);
    try (HostileServer server = gzipServer(bomb, "close")) {
      ScrapeException failure =
          failure(target(job(server.address(), "body_size_limit: 1MB")), LONG_MS);
      assertThat(failure.reason()).isEqualTo(FailureReason.BODY_SIZE_LIMIT);
      assertThat(failure.sentence()).contains("body_size_limit of 1048576 bytes");
    }
  }

  @Test
  void endlessBody_stopsAtTheLimit() throws Exception {
    byte[] lines = "a 1\n".repeat(10_000).getBytes(StandardCharsets.UTF_8);
    try (HostileServer server =
        new HostileServer(
            out -> {
              out.write((OK + "\r\n").getBytes(StandardCharsets.UTF_8));
              while (true) {
                out.write(lines);
              }
            })) {
      assertThat(failure(target(job(server.address(), "body_size_limit: 1MB")), LONG_MS).reason())
          .isEqualTo(FailureReason.BODY_SIZE_LIMIT);
      assertThat(failure(target(job(server.address(), "honor_labels: true")), LONG_MS).reason())
          .as("without a limit")
          .isEqualTo(FailureReason.MEMORY);
    }
  }

  @Test
  void brokenBodies_areNotKept() throws Exception {
    assertThat(sentence(OK + "Content-Length: 100\r\n\r\na 1\n")).contains("after 4 of 100 bytes");
    assertThat(sentence(OK + "Transfer-Encoding: chunked\r\n\r\n4\r\na 1\n\r\n"))
        .contains("without the last chunk");
    assertThat(sentence(OK + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"))
        .contains("a chunk without its size");
    assertThat(sentence(OK + "Transfer-Encoding: chunked\r\n\r\n2\r\na 1\n\r\n"))
        .contains("a chunk that is longer than it says");
    assertThat(sentence(OK + "Content-Encoding: gzip\r\n\r\na 1\n")).contains("should be gzip");
    assertThat(sentence(OK + "Content-Length: x\r\n\r\n")).contains("Content-Length");
  }

  @Test
  void brokenHeads_areSaidInASentence() throws Exception {
    assertThat(sentence("")).contains("closed the connection without an answer");
    assertThat(sentence("SSH-2.0-OpenSSH\r\n")).contains("doesn't speak HTTP/1.1");
    assertThat(sentence(OK + "nonsense\r\n\r\n")).contains("a header without a colon");
    assertThat(sentence(OK + "X: " + "x".repeat(20_000))).contains("a line of more than");
    assertThat(sentence(OK + "X: xxxxxxxxx\r\n".repeat(10_000))).contains("headers of more than");
    assertThat(sentence("HTTP/1.1 100 Continue\r\n\r\n".repeat(20))).contains("interim");
    assertThat(sentence("\u0015\u0003\u0001\u0000\u0002\u0002P")).contains("use https://");
  }

  @Test
  void statuses_areSaidInASentence() throws Exception {
    assertThat(sentence("HTTP/1.1 500 Oh no\r\nContent-Length: 0\r\n\r\n"))
        .contains("500 Oh no")
        .contains("see its log");
    assertThat(sentence("HTTP/1.1 404 Not Found\r\n\r\n")).contains("nothing at /m");
    assertThat(sentence("HTTP/1.1 401\r\n\r\n")).contains("credentials");
    assertThat(sentence("HTTP/1.1 204 No Content\r\n\r\n")).contains("204");
  }

  @Test
  void redirects_areFollowedOnTheSameHostOnly() throws Exception {
    assertThat(sentence("HTTP/1.1 302 Found\r\nLocation: http://evil.example/m\r\n\r\n"))
        .contains("another host, evil.example");
    assertThat(sentence("HTTP/1.1 302 Found\r\nLocation: //evil.example\r\n\r\n"))
        .contains("another host");
    assertThat(sentence("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n"))
        .contains("another scheme, file, which isn't followed");
    assertThat(sentence("HTTP/1.1 302 Found\r\nLocation: /again\r\n\r\n")).contains("in a circle");
    assertThat(sentence("HTTP/1.1 302 Found\r\nLocation: http://a b\r\n\r\n")).contains("no URL");
    AtomicInteger asked = new AtomicInteger();
    try (HostileServer server =
        new HostileServer(
            out -> {
              String answer =
                  asked.getAndIncrement() == 0
                      ? "HTTP/1.1 301 Moved\r\nLocation: /m/\r\nContent-Length: 0\r\n\r\n"
                      : OK + "Content-Length: 4\r\n\r\na 1\n";
              out.write(answer.getBytes(StandardCharsets.UTF_8));
            })) {
      assertThat(get(target(server.address() + "/m"))).isEqualTo("a 1\n");
      asked.set(0);
      ScrapeException refused =
          failure(target(job(server.address(), "follow_redirects: false")), LONG_MS);
      assertThat(refused.reason()).isEqualTo(FailureReason.STATUS);
    }
  }

  @Test
  void hangingServers_areGivenUpInTime() throws Exception {
    Hang hang = new Hang();
    assertThat(sentenceAboutTimeout(hang.after(""), "")).contains("waiting for the answer");
    assertThat(sentenceAboutTimeout(hang.after("HTTP/1.1 200 OK\r\nX:"), ""))
        .contains("reading the headers");
    assertThat(sentenceAboutTimeout(hang.after(OK + "Content-Length: 9\r\n\r\na"), ""))
        .contains("reading the body")
        .contains("within 60ms");
    assertThat(sentenceAboutTimeout(hang.after(""), "https://")).contains("TLS handshake");
  }

  /** Servers that send something and then nothing more. */
  private static final class Hang {
    HostileServer after(String text) throws IOException {
      return new HostileServer(
          out -> {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
            new CountDownLatch(1).await();
          });
    }
  }

  @Test
  void tricklingServer_isGivenUpInTime() throws Exception {
    HostileServer server =
        new HostileServer(
            out -> {
              out.write((OK + "\r\n").getBytes(StandardCharsets.UTF_8));
              while (true) {
                out.write('a');
                out.flush();
                Thread.sleep(1);
              }
            });
    assertThat(sentenceAboutTimeout(server, "")).contains("reading the body");
  }

  @Test
  void plainServerAskedByTls_isSaidInASentence() throws Exception {
    try (HostileServer server = HostileServer.saying("HTTP/1.1 400 Bad Request\r\n\r\n")) {
      ScrapeException failure = failure(target("https://" + server.address() + "/m"), LONG_MS);
      assertThat(failure.reason()).isEqualTo(FailureReason.TLS);
      assertThat(failure.sentence()).contains("use http://" + server.address());
    }
  }

  @Test
  void nobodyThere_isSaidInASentence() throws Exception {
    int port;
    try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = nobody.getLocalPort();
    }
    assertThat(failure(target("127.0.0.1:" + port + "/m"), LONG_MS).sentence())
        .contains("Nothing listens at");
    ScrapeException unknown = failure(target("no-such-host.invalid:1/m"), LONG_MS);
    assertThat(unknown.reason()).isEqualTo(FailureReason.ADDRESS);
  }

  @Test
  void hostileTargets_harmNobodyElse() throws Exception {
    Hang hang = new Hang();
    MemorySink sink = new MemorySink();
    CountDownLatch good = new CountDownLatch(3);
    CountDownLatch bad = new CountDownLatch(3);
    try (HostileServer silent = hang.after("");
        HostileServer half = hang.after(OK + "\r\na");
        HostileServer html = HostileServer.page("<html></html>");
        HostileServer fine = HostileServer.page("a 1\n");
        ScrapeManager manager =
            new ScrapeManager(
                sink,
                fetcher,
                WallClock.system(),
                Ticker.system(),
                Pacer.virtualThreads(),
                (target, ms) -> (target.health() == TargetHealth.UP ? good : bad).countDown(),
                1,
                "here")) {
      manager.reload(
          ScrapeWorld.configs(
              "scrape_configs: [{job_name: j, scrape_interval: 100ms, static_configs: [{targets: ['"
                  + String.join(
                      "', '", silent.address(), half.address(), html.address(), fine.address())
                  + "']}]}]"));
      assertThat(good.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(bad.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(manager.targets()).extracting(TargetView::health).contains(TargetHealth.UP);
    }
  }
}
