package org.inferometer.acceptance.peers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.acceptance.Shared;

/**
 * Serves real dumps as a history, one frame at a time: every sample stamped with the frame's time,
 * counters and buckets risen, gauges moved. The frame changes only when it is told to, so two
 * scrapers take in exactly the same samples, whenever each of them comes. Each page ends with the
 * series {@code frame}, by which a reader sees that a whole page was taken in.
 */
final class FrameServer implements AutoCloseable {
  private static final Pattern SAMPLE =
      Pattern.compile("^([a-zA-Z_:][a-zA-Z0-9_:]*(?:\\{.*\\})?)\\s+(\\S+)(?:\\s+-?\\d+)?\\s*$");
  private static final Pattern TYPE = Pattern.compile("^# TYPE (\\S+) (\\S+)$");

  private static final Map<String, String> DUMPS =
      new TreeMap<>(
          Map.of(
              "vllm", "metrics/vllm_v0.9.x-v0-engine-cpu_multiproc-order_qwen3-0.6b.prom",
              "sglang", "metrics/sglang_v0.4-production-metrics_sglang-docs.prom",
              "triton", "metrics/triton_server_2.3x-summaries_datadog.prom",
              "nim", "metrics/nvidia-nim_llm_2024-10_datadog.prom",
              "dcgm", "gpu/dcgm-exporter_4.8-l40s-no-pod-no-xid-series_upcloud.prom",
              "dcgm-pods", "gpu/dcgm-exporter_4.x-rtx4000ada-pod-labels-empty-pod_uid_lke.prom",
              "node", "gpu/node_exporter_linux-e2e-recorded-procfs.prom"));

  private final HttpServer server;
  private final Map<String, List<String>> dumps = new TreeMap<>();
  private volatile Map<String, byte[]> pages = Map.of();

  FrameServer(Map<String, Path> files) throws IOException {
    for (Map.Entry<String, Path> file : files.entrySet()) {
      dumps.put(file.getKey(), Files.readAllLines(file.getValue()));
    }
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  /** Engines, GPU exporters and a host exporter. */
  static FrameServer ofRealDumps() throws IOException {
    Map<String, Path> files = new TreeMap<>();
    DUMPS.forEach((name, file) -> files.put(name, Shared.path("fixtures/" + file)));
    return new FrameServer(files);
  }

  /** From now on every dump is answered with this frame. */
  void show(int frame, long timestampMs) {
    Map<String, byte[]> next = new HashMap<>();
    dumps.forEach((name, lines) -> next.put(name, page(lines, frame, timestampMs)));
    pages = next;
  }

  int size() {
    return dumps.size();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/", -1);
    byte[] page = pages.getOrDefault(path[1], new byte[0]);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    exchange.sendResponseHeaders(200, page.length == 0 ? -1 : page.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(page);
    }
  }

  private static byte[] page(List<String> lines, int frame, long timestampMs) {
    StringBuilder page = new StringBuilder();
    Map<String, String> types = new HashMap<>();
    for (String line : lines) {
      Matcher type = TYPE.matcher(line);
      if (type.matches()) {
        types.put(type.group(1), type.group(2));
      }
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()) {
        page.append(sample.group(1)).append(' ');
        page.append(moved(sample.group(1), sample.group(2), types, frame));
        page.append(' ').append(timestampMs).append('\n');
      } else if (line.startsWith("#")) {
        page.append(line).append('\n');
      }
    }
    page.append("frame ").append(frame).append(' ').append(timestampMs).append('\n');
    return page.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String moved(String series, String text, Map<String, String> types, int frame) {
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException word) {
      return text;
    }
    String name = series.replaceFirst("\\{.*", "");
    return Double.toString(
        isCumulative(name, types)
            ? Math.floor(value * (1 + 0.013 * frame) + (value > 0 ? frame % 3 : 0))
            : value * (1 + 0.1 * Math.sin(frame * 0.4 + series.hashCode() % 7)));
  }

  private static boolean isCumulative(String name, Map<String, String> types) {
    String family = name.replaceFirst("_(bucket|sum|count)$", "");
    String type = types.getOrDefault(name, types.getOrDefault(family, "untyped"));
    return switch (type) {
      case "counter", "histogram" -> true;
      case "summary" -> !name.equals(family);
      default -> false;
    };
  }

  /** A scrape job for each dump, for a Prometheus config. */
  String scrapeConfigs() {
    StringBuilder yaml = new StringBuilder("scrape_configs:\n");
    for (String dump : dumps.keySet()) {
      yaml.append("  - job_name: ").append(dump).append('\n');
      yaml.append("    scrape_interval: 100ms\n    scrape_timeout: 100ms\n");
      yaml.append("    metrics_path: /").append(dump);
      yaml.append("/metrics\n    static_configs:\n      - targets: ['127.0.0.1:");
      yaml.append(server.getAddress().getPort());
      yaml.append("']\n        labels: {instance: '").append(dump).append("'}\n");
    }
    return yaml.toString();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
