package org.inferometer.acceptance.ui;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** A demonstration with a short past. */
final class DemoSite implements AutoCloseable {
  private final Server server;

  DemoSite() {
    try {
      server =
          new Server(
              Files.createTempDirectory("inferometer-demo-ui"),
              "demo",
              List.of("--no-open", "--history", "3m"));
      server.awaitValue(engine().get("id").asText(), "ttft_p95");
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("the demo did not start: " + e.getMessage(), e);
    }
  }

  Server server() {
    return server;
  }

  /** The service of the vLLM replicas. */
  JsonNode engine() throws IOException, InterruptedException {
    for (JsonNode service : server.get("/api/v1/services").get("services")) {
      if (service.at("/engine/id").asText().equals("vllm")) {
        return service;
      }
    }
    throw new AssertionError("no vLLM: " + server.get("/api/v1/services"));
  }

  @Override
  public void close() {
    server.close();
  }
}
