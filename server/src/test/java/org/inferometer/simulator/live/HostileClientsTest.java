package org.inferometer.simulator.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that mean no good, or can't do better. */
class HostileClientsTest {
  private static final String CHAT = "/v1/chat/completions";

  private final LiveRig rig = new LiveRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), rig.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  /** What a server says to bytes, until it closes. */
  private String raw(byte[] request) throws IOException {
    try (Socket socket = connect()) {
      try {
        socket.getOutputStream().write(request);
        socket.getOutputStream().flush();
      } catch (IOException e) {
        // It has answered and closed before it was sent all.
      }
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static byte[] post(String head, String body) {
    return ("POST "
            + CHAT
            + " HTTP/1.1\r\n"
            + "Host: localhost\r\n"
            + "Content-Type: application/json\r\n"
            + "Connection: close\r\n"
            + head
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private void assertServes() throws Exception {
    assertThat(rig.get("/health").statusCode()).isEqualTo(200);
  }

  @Test
  void announcedHugeBody_isRefusedBeforeItComes() throws Exception {
    assertThat(raw(post("Content-Length: 99999999", "{"))).startsWith("HTTP/1.1 413 ");
    assertServes();
  }

  @Test
  void hugeBodyInChunks_isRefused() throws Exception {
    String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
    byte[] request =
        post("Transfer-Encoding: chunked", chunk.repeat(OpenAiRoutes.BODY_BYTES_MAX / 0x10000 + 2));
    assertThat(raw(request)).startsWith("HTTP/1.1 413 ");
    assertServes();
  }

  @Test
  void brokenChunks_areRefused() throws Exception {
    assertThat(raw(post("Transfer-Encoding: chunked", "zz\r\nhello"))).startsWith("HTTP/1.1 400 ");
    assertServes();
  }

  @Test
  void noHttp_isRefused() throws Exception {
    raw("\u0000\u0001\u0002 nonsense\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
    raw(
        ("GET /" + "x".repeat(400_000) + " HTTP/1.1\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1));
    assertServes();
  }

  @Test
  void unknownHost_isRefused() throws Exception {
    String answer =
        raw(
            "GET /v1/models HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.ISO_8859_1));
    assertThat(answer).startsWith("HTTP/1.1 403 ").contains("--allow-host");
  }

  @Test
  void manyConnectionsThatSayNothing_leaveRoomForOthers() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        idle.add(connect());
      }
      assertServes();
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void streamsThatNobodyReads_leaveTimeForOthers() throws Exception {
    String body =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"stream\":true,\"max_tokens\":1500,\"ignore_eos\":true}";
    List<LiveRig.Stream> streams = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      streams.add(rig.new Stream(CHAT, body));
    }
    rig.awaitInside(40);
    for (int i = 0; i < 300; i++) {
      rig.clock.advance(LiveRig.STEP_MS);
    }
    assertThat(rig.live.ask(rig.agenda::now)).isEqualTo(300 * LiveRig.STEP_MS * 1_000_000);
    assertServes();
    for (LiveRig.Stream stream : streams) {
      stream.socket.setSoLinger(true, 0);
      stream.close();
    }
    rig.awaitInside(0);
  }

  @Test
  void modelNameWithLineEnds_staysInsideItsText() throws Exception {
    String answer =
        rig.post(
                CHAT,
                "{\"model\":\"a\\r\\nSet-Cookie: b=1\\u0000\",\"messages\":[{\"role\":\"user\"}]}")
            .body();
    assertThat(answer).contains("a\\r\\nSet-Cookie: b=1\\u0000").doesNotContain("\n");
  }

  @Test
  void bodyOfManySmallThings_isTaken() throws Exception {
    StringBuilder messages = new StringBuilder("{\"messages\":[");
    for (int i = 0; i < 12_000; i++) {
      messages.append(i == 0 ? "" : ",").append("{\"role\":\"user\",\"content\":\"\"}");
    }
    assertThat(rig.post(CHAT, messages.append("]}").toString()).body())
        .contains("no more than 10000 in a list");
  }
}
