package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EventRoutesTest {
  @Test
  void tick_isSentWhenSamplesCame() throws Exception {
    try (TestServer server = new TestServer()) {
      var response = server.open("/api/v1/events");
      assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
      try (BufferedReader lines = reader(response)) {
        assertThat(lines.readLine()).isEqualTo(": ticks follow");
        assertThat(lines.readLine()).isEmpty();
        server.ticks.tick(1_700_000_000_050L);
        assertThat(lines.readLine()).isEqualTo("event: tick");
        assertThat(lines.readLine()).isEqualTo("data: {\"time\":1700000000.050}");
        assertThat(lines.readLine()).isEmpty();
      }
    }
  }

  @Test
  void stream_endsWhenTheServerStops() throws Exception {
    try (TestServer server = new TestServer();
        BufferedReader lines = reader(server.open("/api/v1/events"))) {
      assertThat(lines.readLine()).isEqualTo(": ticks follow");
      server.ticks.close();
      assertThat(lines.lines().toList()).allMatch(line -> line.isEmpty() || line.startsWith(":"));
    }
  }

  private static BufferedReader reader(HttpResponse<java.io.InputStream> response) {
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }
}
