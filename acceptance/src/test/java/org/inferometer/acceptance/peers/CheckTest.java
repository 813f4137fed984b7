package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code check} beside Debian's Prometheus and node-exporter, and the same of a server. */
class CheckTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  @Test
  void command_tellsWhatRealPartsAre() throws Exception {
    Path config = Files.writeString(folder.resolve("p.yml"), "scrape_configs: []\n");
    try (Program node = Program.nodeExporter(folder);
        Program prometheus = Program.prometheus(folder, config)) {
      String nobody = "127.0.0.1:" + Program.freePort();
      String output = ours("127.0.0.1:" + node.port(), "127.0.0.1:" + prometheus.port(), nobody);
      assertThat(output).startsWith("exit 3\n");
      JsonNode endpoints = JSON.readTree(output.substring(output.indexOf('{'))).path("endpoints");
      checkNode(endpoints.path(0));
      assertThat(endpoints.path(1).path("state").asText()).isIn("ok", "todo");
      assertThat(endpoints.path(1).path("verdict").asText()).startsWith("Prometheus");
      assertThat(endpoints.path(2).path("state").asText()).isEqualTo("unreachable");
    }
  }

  private static void checkNode(JsonNode endpoint) {
    assertThat(endpoint.path("verdict").asText()).as(endpoint.toString()).startsWith("node_");
    JsonNode part = endpoint.path("parts").path(0);
    assertThat(part.path("engine").path("id").asText()).isEqualTo("node");
    assertThat(values(part, "host_cpu")).isGreaterThanOrEqualTo(1);
    assertThat(endpoint.path("scrape").path("scrapes").asInt()).isEqualTo(5);
    assertThat(endpoint.path("series").path("total").asInt()).isGreaterThan(100);
  }

  /** How many values a signal has. */
  private static int values(JsonNode part, String signal) {
    for (JsonNode feed : part.path("feeds")) {
      if (feed.path("signal").asText().equals(signal)) {
        return feed.path("values").size();
      }
    }
    return 0;
  }

  @Test
  void server_tellsTheSameOfItsTargets_andOfNoOthers() throws Exception {
    try (Program node = Program.nodeExporter(folder);
        Program ours =
            Program.inferometer(folder, List.of("http://127.0.0.1:" + node.port() + "/metrics"))) {
      String instance = "127.0.0.1:" + node.port();
      JsonNode answer = JSON.readTree(ours.get("/api/v1/check", Map.of("target", instance)));
      assertThat(answer.path("status").asText()).as(answer.toString()).isEqualTo("success");
      assertThat(answer.path("data").path("instance").asText()).isEqualTo(instance);
      checkNode(answer.path("data"));
      assertThat(ours.get("/api/v1/check?target=127.0.0.1:1").statusCode()).isEqualTo(404);
      assertThat(ours.get("/api/v1/check").statusCode()).isEqualTo(400);
    }
  }

  private static String ours(String... targets) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-jar", System.getProperty("inferometer.jar", ""), "check"));
    command.addAll(List.of("--wait", "2s", "--format", "json"));
    command.addAll(List.of(targets));
    return Program.run(command);
  }
}
