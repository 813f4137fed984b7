package org.inferometer.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Looks at the ports of this machine where inference servers and exporters usually listen. */
final class LocalPorts {
  /**
   * A port and what usually listens there.
   *
   * @param path of its metrics
   */
  record WellKnown(int port, String path, String usual) {}

  static final List<WellKnown> WELL_KNOWN =
      List.of(
          new WellKnown(8000, "/metrics", "vLLM"),
          new WellKnown(30000, "/metrics", "SGLang"),
          new WellKnown(8080, "/metrics", "TGI, llama.cpp"),
          new WellKnown(8002, "/metrics", "Triton"),
          new WellKnown(9400, "/metrics", "dcgm-exporter"),
          new WellKnown(9100, "/metrics", "node-exporter"));

  private static final int TIMEOUT_MS = 1_000;

  private LocalPorts() {}

  /** The URLs of those ports that answer with metrics. */
  static List<String> find(List<WellKnown> ports) {
    List<String> found = new ArrayList<>();
    for (WellKnown port : ports) {
      if (answersMetrics(port)) {
        found.add("http://127.0.0.1:" + port.port() + port.path());
      }
    }
    return found;
  }

  private static boolean answersMetrics(WellKnown port) {
    try (Socket socket = new Socket()) {
      InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      socket.connect(new InetSocketAddress(loopback, port.port()), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      String request =
          "GET "
              + port.path()
              + " HTTP/1.1\r\nHost: 127.0.0.1:"
              + port.port()
              + "\r\nAccept: text/plain\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] start = socket.getInputStream().readNBytes(4096);
      return isMetrics(new String(start, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether an answer begins well and its body as exposition text does, not as a page. */
  static boolean isMetrics(String answer) {
    int end = answer.indexOf("\r\n\r\n");
    return end > 0
        && answer.matches("(?s)HTTP/1\\.[01] 200 .*")
        && answer.substring(end).lines().anyMatch(line -> line.startsWith("# TYPE "));
  }
}
