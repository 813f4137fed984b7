package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.io.ProtoReader;
import org.inferometer.io.ProtoWriter;
import org.inferometer.io.Snappy;
import org.inferometer.model.Labels;
import org.inferometer.remote.RemoteReader;
import org.inferometer.remote.WriteReceiver;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.Head;
import org.inferometer.tsdb.HeadOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RemoteRoutesTest {
  private static final long T = TestServer.NOW_MS;
  private static final String V1 = "application/x-protobuf";
  private static final String V2 = V1 + ";proto=io.prometheus.write.v2.Request";

  private final Head head = new Head(HeadOptions.defaults(), () -> T);
  private final HttpClient client = HttpClient.newHttpClient();
  private TestServer server;

  @BeforeAll
  void start() {
    server =
        new TestServer(
            new RemoteRoutes(
                new WriteReceiver(head), new RemoteReader(head), () -> Labels.of("cluster", "c")));
  }

  @AfterAll
  void stop() {
    server.close();
    client.close();
  }

  private HttpResponse<byte[]> post(String route, byte[] body, String... headers) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/api/v1/" + route))
            .headers(headers)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  private HttpResponse<byte[]> write(ProtoWriter message, String type) throws Exception {
    byte[] block = Snappy.compress(message.array(), message.size());
    return post("write", block, "Content-Type", type, "Content-Encoding", "snappy");
  }

  private static ProtoWriter v1(String metric, double value, long timeMs) {
    return new ProtoWriter()
        .message(
            1,
            series ->
                series
                    .message(1, label -> label.string(1, "__name__").string(2, metric))
                    .message(2, sample -> sample.float64(1, value).varint(2, timeMs)));
  }

  private static ProtoWriter v2(String metric, double value, long timeMs) {
    return new ProtoWriter()
        .string(4, "")
        .string(4, "__name__")
        .string(4, metric)
        .message(
            5,
            series ->
                series
                    .varints(1, 1, 2)
                    .message(2, sample -> sample.float64(1, value).varint(2, timeMs)));
  }

  private static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), java.nio.charset.StandardCharsets.UTF_8);
  }

  @Test
  void writtenSamples_canBeReadAgain() throws Exception {
    HttpResponse<byte[]> written = write(v1("first", 1.5, T), V1);
    assertThat(written.statusCode()).as(text(written)).isEqualTo(204);
    assertThat(written.body()).isEmpty();
    ProtoWriter question =
        new ProtoWriter()
            .message(
                1,
                query ->
                    query
                        .varint(1, T - 1000)
                        .varint(2, T)
                        .message(3, m -> m.string(2, "__name__").string(3, "first")));
    HttpResponse<byte[]> answer =
        post(
            "read",
            Snappy.compress(question.array(), question.size()),
            "Content-Type",
            V1,
            "Content-Encoding",
            "snappy");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/x-protobuf");
    assertThat(answer.headers().firstValue("Content-Encoding")).contains("snappy");
    ProtoReader response = new ProtoReader(Snappy.decompress(answer.body()));
    assertThat(response.next()).isTrue();
    ProtoReader result = response.message();
    assertThat(result.next()).isTrue();
    assertThat(new String(answer.body(), java.nio.charset.StandardCharsets.ISO_8859_1))
        .contains("cluster", "first");
  }

  @Test
  void secondVersion_isToldHowMuchWasWritten() throws Exception {
    HttpResponse<byte[]> written = write(v2("second", 1, T), V2);
    assertThat(written.statusCode()).as(text(written)).isEqualTo(204);
    assertThat(written.headers().firstValue("X-Prometheus-Remote-Write-Samples-Written"))
        .contains("1");
    assertThat(written.headers().firstValue("X-Prometheus-Remote-Write-Histograms-Written"))
        .contains("0");
    assertThat(written.headers().firstValue("X-Prometheus-Remote-Write-Exemplars-Written"))
        .contains("0");
  }

  /** Takes everything but can't store it. */
  private static final class FullDisk implements Appender {
    @Override
    public long series(Labels labels) {
      return 1;
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, double value) {
      return AppendOutcome.ACCEPTED;
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, NativeHistogram histogram) {
      return AppendOutcome.ACCEPTED;
    }

    @Override
    public void commit() {
      throw new StoreException("wal/00000003: the disk is full");
    }

    @Override
    public void rollback() {}
  }

  @Test
  void storeThatFails_isAskedAgainLater() throws Exception {
    try (TestServer full =
        new TestServer(
            new RemoteRoutes(
                new WriteReceiver(FullDisk::new), new RemoteReader(head), () -> Labels.EMPTY))) {
      ProtoWriter message = v1("full", 1, T);
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + full.port() + "/api/v1/write"))
              .header("Content-Type", V1)
              .POST(
                  HttpRequest.BodyPublishers.ofByteArray(
                      Snappy.compress(message.array(), message.size())))
              .build();
      HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(text(answer)).isEqualTo("samples not stored: wal/00000003: the disk is full\n");
    }
  }

  @Test
  void samplesThatCantBeTaken_areABadRequest() throws Exception {
    write(v1("order", 1, T), V1);
    HttpResponse<byte[]> duplicate = write(v2("order", 2, T), V2);
    assertThat(duplicate.statusCode()).isEqualTo(400);
    assertThat(text(duplicate))
        .isEqualTo(
            "1 of 1 samples weren't taken: duplicate sample for timestamp: order at"
                + " 2023-11-14T22:13:20.123Z\n");
    assertThat(duplicate.headers().firstValue("X-Prometheus-Remote-Write-Samples-Written"))
        .contains("0");
    HttpResponse<byte[]> old = write(v1("order", 1, T - 3_600_000), V1);
    assertThat(old.statusCode()).isEqualTo(400);
    assertThat(text(old)).contains("too old sample: order at");
    HttpResponse<byte[]> ahead = write(v1("order", 1, T + 3_600_000), V1);
    assertThat(text(ahead)).contains("out of bounds: order at");
  }

  @ParameterizedTest
  @CsvSource({
    "text/plain, snappy, 415",
    "application/json, snappy, 415",
    "application/x-protobuf;proto=other.Request, snappy, 415",
    "application/x-protobuf, gzip, 415",
    "application/x-protobuf, zstd, 415",
    "application/x-protobuf;proto=prometheus.WriteRequest, snappy, 204",
    "Application/X-Protobuf; proto=prometheus.WriteRequest, snappy, 204",
  })
  void contentIsNegotiated(String type, String encoding, int status) throws Exception {
    ProtoWriter message = v1("negotiated", 1, T);
    HttpResponse<byte[]> response =
        post(
            "write",
            Snappy.compress(message.array(), message.size()),
            "Content-Type",
            type,
            "Content-Encoding",
            encoding);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(status);
  }

  @Test
  void withoutContentHeaders_itIsTheFirstVersion() throws Exception {
    ProtoWriter message = v1("bare", 1, T);
    byte[] block = Snappy.compress(message.array(), message.size());
    assertThat(post("write", block, "X-Any", "x").statusCode()).isEqualTo(204);
  }

  @Test
  void brokenBodies_areBadRequests() throws Exception {
    byte[] lying = {(byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f, 0};
    HttpResponse<byte[]> lie = post("write", lying, "Content-Type", V1);
    assertThat(lie.statusCode()).isEqualTo(400);
    assertThat(text(lie)).startsWith("the body isn't a snappy block: byte 0: expected a length");
    byte[] zeros = new byte[40 * 1024 * 1024];
    HttpResponse<byte[]> large =
        post("write", Snappy.compress(zeros, zeros.length), "Content-Type", V1);
    assertThat(large.statusCode()).isEqualTo(413);
    assertThat(text(large))
        .contains("more than the limit of " + RemoteRoutes.UNCOMPRESSED_BYTES_MAX);
    HttpResponse<byte[]> message =
        post("write", Snappy.compress(new byte[] {8}, 1), "Content-Type", V1);
    assertThat(message.statusCode()).isEqualTo(400);
    assertThat(text(message)).startsWith("the body isn't a message prometheus.WriteRequest");
    assertThat(post("read", lying, "Content-Type", V1).statusCode()).isEqualTo(400);
    assertThat(post("write", new byte[0], "Content-Type", V1).statusCode()).isEqualTo(400);
  }

  @Test
  void bodyBeyondTheLimit_isRefused() throws Exception {
    // Only said to be sent: a body on its way may meet a closed connection before the answer.
    assertThat(
            server.raw(
                "POST /api/v1/write HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                    + V1
                    + "\r\nContent-Length: "
                    + (ApiServer.BODY_BYTES_MAX + 1)
                    + "\r\n\r\n"))
        .startsWith("HTTP/1.1 413 ");
  }

  @Test
  void onlyPostIsTaken() throws Exception {
    for (String route : new String[] {"write", "read"}) {
      HttpResponse<String> get = server.send("GET", "/api/v1/" + route);
      assertThat(get.statusCode()).isEqualTo(405);
      assertThat(get.headers().firstValue("Allow")).contains("POST");
    }
  }

  @Test
  void receiverThatIsOff_isNotFound() throws Exception {
    RemoteRoutes off = new RemoteRoutes(null, new RemoteReader(head), () -> Labels.EMPTY);
    try (TestServer other = new TestServer(off)) {
      HttpResponse<String> response = other.post("/api/v1/write", "x");
      assertThat(response.statusCode()).isEqualTo(404);
      assertThat(response.body())
          .isEqualTo(
              "remote write receiver needs to be enabled with"
                  + " --web.enable-remote-write-receiver\n");
    }
  }
}
