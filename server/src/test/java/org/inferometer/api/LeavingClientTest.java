package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.Explanation.Explained;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryValue;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeavingClientTest {
  private static final int PATIENCE_S = 20;

  private final TestServer server = new TestServer();

  LeavingClientTest() {
    server.queries.answer("1", new QueryValue.Scalar(0, 1));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static void send(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    client.getOutputStream().flush();
  }

  private static String request(String pathAndQuery) {
    return "GET /api/v1/" + pathAndQuery + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  /** The body of the next response; what follows it stays to be read. */
  private static String response(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("expected a response, got " + head);
      }
      head.append((char) b);
    }
    String lower = head.toString().toLowerCase(java.util.Locale.ROOT);
    int at = lower.indexOf("content-length:") + "content-length:".length();
    int length = Integer.parseInt(lower.substring(at, lower.indexOf('\r', at)).strip());
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  private void hang(Socket client) throws IOException, InterruptedException {
    send(client, request("query?query=hang"));
    assertThat(server.queries.hanging.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void workForClientThatClosesIsGivenUp() throws Exception {
    try (Socket client = server.connect()) {
      hang(client);
    }
    assertThat(server.queries.abandoned.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void workForClientThatBreaksTheConnectionIsGivenUp() throws Exception {
    try (Socket client = server.connect()) {
      client.setSoLinger(true, 0); // closing sends a reset
      hang(client);
    }
    assertThat(server.queries.abandoned.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void clientThatWaitsGetsItsAnswerAndMayAskAgain() throws Exception {
    try (Socket client = server.connect()) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      hang(client);
      assertThat(server.queries.abandoned.await(1200, TimeUnit.MILLISECONDS)).isFalse();
      server.queries.goOn.countDown();
      assertThat(response(in)).contains("\"status\":\"success\"");
      for (int i = 0; i < 3; i++) {
        send(client, request("query?query=1"));
        assertThat(response(in)).contains("\"resultType\":\"scalar\"");
      }
    }
  }

  @Test
  void requestThatComesEarlyIsAnsweredInItsTurn() throws Exception {
    try (Socket client = server.connect()) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      String second = request("query?query=1");
      send(client, request("query?query=hang") + second.substring(0, 10));
      assertThat(server.queries.hanging.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      send(client, second.substring(10, 20));
      assertThat(server.queries.abandoned.await(700, TimeUnit.MILLISECONDS)).isFalse();
      send(client, second.substring(20) + request("query?query=1"));
      server.queries.goOn.countDown();
      assertThat(response(in)).contains("\"resultType\":\"vector\"");
      assertThat(response(in)).contains("\"resultType\":\"scalar\"");
      assertThat(response(in)).contains("\"resultType\":\"scalar\"");
    }
  }

  @Test
  void clientThatLeavesAfterItsAnswerDisturbsNobody() throws Exception {
    try (Socket client = server.connect()) {
      hang(client);
      assertThat(server.queries.abandoned.await(700, TimeUnit.MILLISECONDS)).isFalse();
      server.queries.goOn.countDown();
      assertThat(response(client.getInputStream())).contains("\"status\":\"success\"");
    }
    assertThat(server.get("/api/v1/query?query=1")).contains("\"resultType\":\"scalar\"");
  }

  /** A store whose one series is read until the reader is interrupted. */
  private static final class EndlessStore implements Queryable {
    private final MemorySeries series = new MemorySeries();
    private final CountDownLatch reading = new CountDownLatch(1);

    EndlessStore() {
      series.add(Labels.of(Labels.NAME, "m"), TestServer.NOW_MS, 1);
    }

    @Override
    public Querier querier(long minMs, long maxMs) {
      Querier querier = series.querier(minMs, maxMs);
      return new Querier() {
        @Override
        public List<Series> select(List<Matcher> matchers) {
          return querier.select(matchers).stream().map(EndlessStore.this::endless).toList();
        }

        @Override
        public List<String> labelNames(List<Matcher> matchers) {
          return querier.labelNames(matchers);
        }

        @Override
        public List<String> labelValues(String name, List<Matcher> matchers) {
          return querier.labelValues(name, matchers);
        }

        @Override
        public void close() {
          querier.close();
        }
      };
    }

    private Series endless(Series one) {
      return new Series() {
        @Override
        public Labels labels() {
          return one.labels();
        }

        @Override
        public void read(long fromMs, long toMs, SampleColumns into) {
          reading.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }
      };
    }
  }

  @Test
  void evaluationForClientThatClosesEnds() throws Exception {
    EndlessStore store = new EndlessStore();
    CompletableFuture<QueryException> ended = new CompletableFuture<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      LocalQueryService queries =
          new LocalQueryService(
              store,
              MetadataSource.none(),
              EngineOptions.DEFAULT,
              Ticker.system(),
              threads,
              threads,
              1);
      FakeQueryService watching =
          new FakeQueryService() {
            @Override
            public Explained explain(InstantQuery query) throws QueryException {
              try {
                return queries.explain(query);
              } catch (QueryException e) {
                ended.complete(e);
                throw e;
              }
            }
          };
      try (TestServer real = new TestServer(new ExplainRoutes(watching, () -> TestServer.NOW_MS))) {
        try (Socket client = real.connect()) {
          send(client, request("query_explain?query=sum(m)"));
          assertThat(store.reading.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(ended.get(PATIENCE_S, TimeUnit.SECONDS).kind())
            .isEqualTo(QueryException.Kind.CANCELED);
      }
    }
  }
}
