package org.inferometer.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.List;
import org.inferometer.http.UnreadBody;
import org.inferometer.model.Labels;
import org.inferometer.remote.RemoteReader;
import org.inferometer.remote.WriteReceiver;
import org.inferometer.tsdb.Head;
import org.inferometer.tsdb.HeadOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers to requests whose body no route reads, on connections that are kept. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnreadBodyTest {
  private final Head head = new Head(HeadOptions.defaults(), () -> TestServer.NOW_MS);
  private TestServer server;

  /** An answer as it came. */
  private record Received(int status, String head, String body) {
    boolean closes() {
      return head.toLowerCase(java.util.Locale.ROOT).contains("connection: close");
    }
  }

  @BeforeAll
  void start() {
    server =
        new TestServer(
            "http://.*\\.friend\\.example",
            new RemoteRoutes(new WriteReceiver(head), new RemoteReader(head), () -> Labels.EMPTY));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String request(String start, int length) {
    return start + " HTTP/1.1\r\nContent-Length: " + length + "\r\n";
  }

  private static String withBody(String head, String body) {
    String host = head.contains("Host:") ? "" : "Host: localhost\r\n";
    return head + host + "\r\n" + body;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
  }

  private static Received receive(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as("the end behind \"%s\"", head).isNotNegative();
      head.append((char) next);
    }
    String lengthName = "content-length: ";
    String lower = head.toString().toLowerCase(java.util.Locale.ROOT);
    int at = lower.indexOf(lengthName);
    int length =
        at < 0 ? 0 : Integer.parseInt(lower.substring(at + lengthName.length()).split("\r")[0]);
    return new Received(
        Integer.parseInt(head.substring(9, 12)),
        head.toString(),
        new String(in.readNBytes(length), ISO_8859_1));
  }

  @Test
  void keptConnection_takesManyRequestsThatAreRefused() throws Exception {
    String body = "x".repeat(1_000);
    List<String> refused =
        List.of(
            request("POST /api/v1/write", 1_000) + "Content-Type: text/plain\r\n",
            request("POST /api/v1/unknown", 1_000),
            request("PUT /api/v1/labels", 1_000),
            request("GET /api/v1/write", 1_000),
            request("POST /api/v1/labels", 1_000) + "Host: evil.example\r\n",
            request("POST /api/v1/labels", 1_000) + "Origin: http://evil.example\r\n",
            request("OPTIONS /api/v1/labels", 1_000) + "Origin: http://a.friend.example\r\n",
            request("HEAD /", 1_000),
            "POST /api/v1/unknown HTTP/1.1\r\nTransfer-Encoding: chunked\r\n");
    try (Socket socket = server.connect();
        InputStream in = new BufferedInputStream(socket.getInputStream())) {
      for (int i = 0; i < 40 * refused.size(); i++) {
        String head = refused.get(i % refused.size());
        boolean isChunked = head.contains("chunked");
        send(socket, withBody(head, isChunked ? "3e8\r\n" + body + "\r\n0\r\n\r\n" : body));
        Received answer = head.startsWith("HEAD") ? headOnly(in) : receive(in);
        assertThat(answer.closes()).as(head + answer.head).isFalse();
        assertThat(answer.status).as(head).isIn(200, 204, 403, 404, 405, 415);
      }
      send(socket, "GET /api/v1/labels HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(receive(in).status).isEqualTo(200);
    }
  }

  private static Received headOnly(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.read());
    }
    return new Received(Integer.parseInt(head.substring(9, 12)), head.toString(), "");
  }

  @Test
  void bodyThatComesLate_isWaitedFor() throws Exception {
    try (Socket socket = server.connect();
        InputStream in = new BufferedInputStream(socket.getInputStream())) {
      for (int i = 0; i < 3; i++) {
        send(socket, withBody(request("POST /api/v1/unknown", 4), "ab"));
        Thread.sleep(20);
        send(socket, "cd");
        assertThat(receive(in).status).isEqualTo(404);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {UnreadBody.DROPPED_BYTES_MAX + 1, 5_000_000, 50_000_000})
  void largeBody_isAnsweredAndTheAnswerSaysThatTheConnectionCloses(int length) throws Exception {
    try (Socket socket = server.connect();
        InputStream in = new BufferedInputStream(socket.getInputStream())) {
      send(socket, withBody(request("POST /api/v1/unknown", length), ""));
      Received answer = receive(in);
      assertThat(answer.status).isIn(404, 413);
      assertThat(answer.closes()).as(answer.head).isTrue();
      // A client that is at it may go on for a while; it isn't reset under its hands.
      byte[] part = new byte[10_000];
      for (int i = 0; i < 20; i++) {
        socket.getOutputStream().write(part);
      }
      socket.shutdownOutput();
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void largeChunkedBody_isDroppedUpToALimit() throws Exception {
    try (Socket socket = server.connect();
        InputStream in = new BufferedInputStream(socket.getInputStream())) {
      send(socket, withBody("POST /api/v1/unknown HTTP/1.1\r\nTransfer-Encoding: chunked\r\n", ""));
      String chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
      for (int i = 0; i <= UnreadBody.DROPPED_BYTES_MAX / 0x4000; i++) {
        send(socket, chunk);
      }
      Received answer = receive(in);
      assertThat(answer.status).isEqualTo(404);
      assertThat(answer.closes()).isTrue();
    }
  }

  @Test
  void bodyThatWaitsForAGoAhead_isNotAskedFor() throws Exception {
    try (Socket socket = server.connect();
        InputStream in = new BufferedInputStream(socket.getInputStream())) {
      send(socket, withBody(request("POST /api/v1/unknown", 10) + "Expect: 100-continue\r\n", ""));
      Received answer = receive(in);
      assertThat(answer.status).isEqualTo(404);
      assertThat(answer.closes()).isTrue();
    }
  }
}
