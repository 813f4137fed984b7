package org.inferometer.acceptance.ui;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.acceptance.Shared;

/** A server that scrapes an engine, a GPU exporter and a host exporter from real dumps. */
final class Site implements AutoCloseable {
  /** Growth by dump: a host has been up for days, so its seconds of CPU must grow by little. */
  private static final Map<String, Double> DUMPS =
      Map.of(
          "fixtures/metrics/vllm_v0.9.x-v0-engine-cpu_multiproc-order_qwen3-0.6b.prom", 0.02,
          "fixtures/gpu/dcgm-exporter_4.8-l40s-no-pod-no-xid-series_upcloud.prom", 0.02,
          "fixtures/gpu/node_exporter_linux-e2e-recorded-procfs.prom", 0.0001);

  private final List<LiveDump> dumps = new ArrayList<>();
  private final Server server;
  private final JsonNode engine;
  private final JsonNode gpu;
  private final JsonNode host;

  Site() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("inferometer-ui");
    List<String> arguments = new ArrayList<>();
    for (Map.Entry<String, Double> entry : DUMPS.entrySet()) {
      Path path = Shared.path(entry.getKey());
      LiveDump dump = new LiveDump(Files.readAllLines(path), entry.getValue());
      dumps.add(dump);
      arguments.add(dump.url());
    }
    server = new Server(folder, arguments);
    engine = server.awaitService("engine");
    gpu = server.awaitService("gpu");
    host = server.awaitService("host");
    server.awaitValue(id(engine), "ttft_p95");
    server.awaitValue(id(host), "host_cpu");
  }

  private static String id(JsonNode service) {
    return service.get("id").asText();
  }

  Server server() {
    return server;
  }

  JsonNode engine() {
    return engine;
  }

  JsonNode gpu() {
    return gpu;
  }

  JsonNode host() {
    return host;
  }

  @Override
  public void close() {
    server.close();
    dumps.forEach(LiveDump::close);
  }
}
