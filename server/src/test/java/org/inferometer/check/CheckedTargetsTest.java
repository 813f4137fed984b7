package org.inferometer.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.config.Urls;
import org.inferometer.scrape.HttpFetcher;
import org.inferometer.scrape.TargetProbe;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CheckedTargetsTest {
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong waitedMs = new AtomicLong();
  private final HttpFetcher fetcher = new HttpFetcher(Ticker.system(), "test");
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          byte[] body = "a 1\n".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    fetcher.close();
  }

  private CheckedTargets targets() {
    return new CheckedTargets(this::find, this::checker, nanos::get);
  }

  private @Nullable TargetProbe find(String target, String job) {
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
    return target.equals("known")
        ? TargetProbe.of(Urls.scrapeConfig(url), fetcher).getFirst()
        : null;
  }

  private Checker checker() {
    WallClock clock = () -> WallClock.system().nowMs() + waitedMs.get();
    return new Checker(
        FakeEndpoint.CATALOGUE,
        Goals.NONE,
        Facts.NONE,
        clock,
        Ticker.system(),
        waitedMs::addAndGet,
        5_000);
  }

  @Test
  void targetThatIsntScraped_isntAsked() throws InterruptedException {
    assertThat(targets().report("http://169.254.169.254/", "")).isNull();
    assertThat(asked.get()).isZero();
  }

  @Test
  void report_isShownAgainForAWhile() throws InterruptedException {
    CheckedTargets targets = targets();
    EndpointReport first = targets.report("known", "");
    assertThat(first).isNotNull();
    assertThat(asked.get()).isEqualTo(5);
    nanos.addAndGet(29_000_000_000L);
    assertThat(targets.report("known", "")).isSameAs(first);
    assertThat(asked.get()).isEqualTo(5);
    nanos.addAndGet(1_000_000_000L);
    assertThat(targets.report("known", "")).isNotSameAs(first);
    assertThat(asked.get()).isEqualTo(10);
  }

  @Test
  void manyAtOnce_costTheTargetOneLook() throws InterruptedException {
    CheckedTargets targets = targets();
    List<Thread> readers = new ArrayList<>();
    AtomicInteger reports = new AtomicInteger();
    for (int i = 0; i < 8; i++) {
      readers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      reports.addAndGet(targets.report("known", "") == null ? 0 : 1);
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  }));
    }
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(reports.get()).isEqualTo(8);
    assertThat(asked.get()).isEqualTo(5);
  }
}
