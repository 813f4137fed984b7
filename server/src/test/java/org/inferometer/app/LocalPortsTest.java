package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalPortsTest {
  private static HttpServer answering(String body) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static LocalPorts.WellKnown at(HttpServer server) {
    return new LocalPorts.WellKnown(server.getAddress().getPort(), "/metrics", "a test");
  }

  @Test
  void onlyPortsWithMetrics_areFound() throws Exception {
    HttpServer metrics = answering("# TYPE a counter\na_total 1\n");
    HttpServer page = answering("<html># TYPE</html>");
    HttpServer gone = answering("");
    gone.stop(0);
    try {
      assertThat(LocalPorts.find(List.of(at(page), at(metrics), at(gone))))
          .containsExactly("http://127.0.0.1:" + metrics.getAddress().getPort() + "/metrics");
    } finally {
      metrics.stop(0);
      page.stop(0);
    }
  }
}
