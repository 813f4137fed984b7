package org.inferometer.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.inferometer.config.Urls;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TargetProbeTest {
  private final HttpFetcher fetcher = new HttpFetcher(Ticker.system(), "test");
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve("/metrics", 200, "a 1\n");
    serve("/off", 501, "{\"error\":\"no metrics\"}" + "x".repeat(100_000));
    serve("/nothing", 404, "");
    server.start();
  }

  private void serve(String path, int status, String page) {
    byte[] body = page.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        path,
        exchange -> {
          exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  @AfterEach
  void stop() {
    server.stop(0);
    fetcher.close();
  }

  private TargetProbe probe() {
    String url = "http://u:p@127.0.0.1:" + server.getAddress().getPort() + "/metrics";
    return TargetProbe.of(Urls.scrapeConfig(url), fetcher).getFirst();
  }

  @Test
  void page_comesWithTheTimeOfTheServer() throws InterruptedException {
    try (TargetProbe probe = probe()) {
      assertThat(probe.fetch(probe.path()))
          .isInstanceOfSatisfying(
              TargetProbe.Page.class,
              page -> {
                assertThat(new String(page.body(), StandardCharsets.UTF_8)).isEqualTo("a 1\n");
                assertThat(page.url()).doesNotContain("u:p").endsWith("/metrics");
                assertThat(page.dateMs()).isNotNull();
                assertThat(WallClock.system().nowMs() - page.dateMs()).isBetween(0L, 60_000L);
              });
    }
  }

  @Test
  void error_comesWithTheBeginningOfItsPage() throws InterruptedException {
    try (TargetProbe probe = probe()) {
      assertThat(probe.fetch("/off"))
          .isInstanceOfSatisfying(
              TargetProbe.Failure.class,
              failure -> {
                assertThat(failure.reason()).isEqualTo(FailureReason.STATUS);
                assertThat(failure.said()).startsWith("{\"error\":\"no metrics\"}").hasSize(2048);
              });
      assertThat(probe.fetch("/nothing"))
          .isInstanceOfSatisfying(
              TargetProbe.Failure.class, failure -> assertThat(failure.said()).isEmpty());
    }
  }

  @Test
  void nobodyThere_isAFailure() throws InterruptedException {
    try (TargetProbe probe = probe()) {
      server.stop(0);
      assertThat(probe.fetch("/metrics"))
          .isInstanceOfSatisfying(
              TargetProbe.Failure.class,
              failure -> assertThat(failure.reason()).isEqualTo(FailureReason.CONNECT));
    }
  }

  @Test
  void silentTarget_isNeverAsked() {
    TargetProbe silent = TargetProbe.silent(Urls.scrapeConfig("host:1"));
    assertThat(silent.labels().get("instance")).isEqualTo("host:1");
    assertThatThrownBy(() -> silent.fetch("/metrics")).isInstanceOf(IllegalStateException.class);
    silent.close();
  }
}
