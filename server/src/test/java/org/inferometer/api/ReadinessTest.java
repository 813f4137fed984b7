package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private final AtomicReference<@Nullable String> waitsFor = new AtomicReference<>("reading: 43 %");

  @Test
  void untilReady_onlyHealthPagesAndMetricsAreAnswered() throws Exception {
    ApiServer server =
        new ApiServer(
            new ApiServer.Settings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                List.of(),
                null,
                waitsFor::get),
            List.of(new AdminRoutes(() -> null, page -> {}), new UiRoutes()),
            new RequestStats(),
            Ticker.system());
    server.start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String path : List.of("/-/healthy", "/", "/ui/app.js", "/metrics")) {
        assertThat(get(client, server, path).statusCode()).as(path).isEqualTo(200);
      }
      for (String path : List.of("/-/ready", "/api/v1/query?query=1", "/federate")) {
        HttpResponse<String> waiting = get(client, server, path);
        assertThat(waiting.statusCode()).as(path).isEqualTo(503);
        assertThat(waiting.body()).contains("unavailable", "not ready yet: reading: 43 %");
      }
      waitsFor.set(null);
      assertThat(get(client, server, "/-/ready").body()).isEqualTo("Inferometer is ready.\n");
    } finally {
      server.stop();
    }
  }

  private static HttpResponse<String> get(HttpClient client, ApiServer server, String path)
      throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }
}
