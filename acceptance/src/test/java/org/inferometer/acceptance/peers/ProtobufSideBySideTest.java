package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Prometheus and ours scrape the same protobuf: pages that real exporters made, frozen, and a
 * native histogram that grows.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ProtobufSideBySideTest {
  private static final String PROTOBUF =
      "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
          + " encoding=delimited";

  private static final JsonNode NOTHING = MissingNode.getInstance();

  private static final int FRAMES = 12;
  private static final long FRAME_MS = 15_000;

  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<AutoCloseable> running = new ArrayList<>();
  private double end;
  private Program ours;
  private Program prometheus;

  @BeforeAll
  void scrapeTheSame(@TempDir Path folder) throws Exception {
    Program exporter = keep(Program.nodeExporter(folder));
    Path none = Files.writeString(folder.resolve("none.yml"), "scrape_configs: []\n");
    Program idle = keep(Program.prometheus(Files.createDirectory(folder.resolve("idle")), none));
    PageServer pages = keep(new PageServer());
    pages.put("node", PROTOBUF, page(exporter, PROTOBUF));
    pages.put("node-text", "text/plain; version=0.0.4", page(exporter, "text/plain"));
    pages.put("prometheus", PROTOBUF, page(idle, PROTOBUF));
    Path config = folder.resolve("scrape.yml");
    Files.writeString(config, jobs(pages, ""));
    Path ourConfig = folder.resolve("ours.yml");
    Files.writeString(ourConfig, jobs(pages, ", scrape_native_histograms: true"));
    ours = keep(Program.inferometer(folder, List.of("--config", ourConfig.toString())));
    prometheus = keep(Program.prometheus(folder, config, "--enable-feature=native-histograms"));
    long endMs = System.currentTimeMillis() / FRAME_MS * FRAME_MS;
    end = endMs / 1000.0 - 8;
    for (int frame = 0; frame < FRAMES; frame++) {
      long timestampMs = endMs - (FRAMES - 1 - frame) * FRAME_MS;
      pages.put("native", PROTOBUF, nativePage(frame, timestampMs));
      await("frame == " + frame, () -> timestampMs / 1000.0);
    }
    await("node_uname_info{job='node'}", ProtobufSideBySideTest::now);
    await("node_uname_info{job='node-text'}", ProtobufSideBySideTest::now);
    await("prometheus_build_info", ProtobufSideBySideTest::now);
  }

  private <T extends AutoCloseable> T keep(T resource) {
    running.add(resource);
    return resource;
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable resource : running.reversed()) {
      resource.close();
    }
  }

  private static String jobs(PageServer pages, String more) {
    String seconds = ", scrape_interval: 2s, scrape_timeout: 2s" + more;
    return "scrape_configs:\n"
        + pages.job("node", seconds)
        + pages.job("node-text", seconds)
        + pages.job("prometheus", seconds)
        + pages.job("native", ", scrape_interval: 100ms, scrape_timeout: 100ms" + more);
  }

  private byte[] page(Program exporter, String accept) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + exporter.port() + "/metrics"))
            .header("Accept", accept)
            .build();
    return http.send(request, BodyHandlers.ofByteArray()).body();
  }

  private void await(String query, DoubleSupplier time) throws Exception {
    for (Program server : List.of(ours, prometheus)) {
      for (int i = 0; result(server, query, time.getAsDouble()).isEmpty(); i++) {
        assertThat(i).as("waiting for " + query).isLessThan(1_000);
        Thread.sleep(20);
      }
    }
  }

  private static double now() {
    return System.currentTimeMillis() / 1000.0;
  }

  // ----------------------------------------------------------------------- the growing page

  private static byte[] nativePage(int frame, long timestampMs) {
    Families page = new Families();
    page.family(
        new Families()
            .text(1, "rpc_seconds")
            .varint(3, 4)
            .message(4, metric("a", exponential(frame), timestampMs))
            .message(4, metric("b", exponential(frame % 5), timestampMs)));
    page.family(
        new Families()
            .text(1, "frame")
            .varint(3, 1)
            .message(
                4,
                new Families().message(2, new Families().number(1, frame)).varint(6, timestampMs)));
    return page.bytes();
  }

  private static Families metric(String zone, Families histogram, long timestampMs) {
    return new Families()
        .message(1, new Families().text(1, "zone").text(2, zone))
        .message(7, histogram)
        .varint(6, timestampMs);
  }

  /** Buckets on both sides of zero with a gap; all grow. */
  private static Families exponential(int frame) {
    long positive = 3L + (frame + 1) + 2L * frame;
    long negative = 2L * frame;
    return new Families()
        .varint(1, positive + negative + frame)
        .number(2, 1.5 * frame + 0.25)
        .signed(5, 2)
        .number(6, 0.001)
        .varint(7, frame)
        .message(9, new Families().signed(1, 1).varint(2, 1))
        .signedList(10, negative)
        .message(12, new Families().signed(1, -2).varint(2, 2))
        .message(12, new Families().signed(1, 3).varint(2, 1))
        .signedList(13, 3, frame + 1 - 3, 2L * frame - (frame + 1));
  }

  // ------------------------------------------------------------------------------ the checks

  @ParameterizedTest
  @ValueSource(strings = {"node", "prometheus"})
  void frozenPages_areTheSameSeriesAndValues(String job) throws Exception {
    double time = now();
    String query =
        "last_over_time({job='" + job + "',__name__!~'up|scrape_.*|inferometer_.*'}[1m])";
    Map<String, JsonNode> mine = result(ours, query, time);
    assertThat(mine).hasSizeGreaterThan(200).isEqualTo(result(prometheus, query, time));
  }

  @Test
  void textAndProtobuf_areTheSameSeries() throws Exception {
    double time = now();
    List<List<String>> series = new ArrayList<>();
    for (String job : List.of("node", "node-text")) {
      String names = "node_.*|go_.*|process_.*|promhttp_.*";
      String query = "last_over_time({job='" + job + "',__name__=~'" + names + "'}[1m])";
      List<String> labels = new ArrayList<>(result(ours, query, time).keySet());
      labels.replaceAll(text -> text.replace("\"job\":\"" + job + "\"", ""));
      assertThat(labels).hasSizeGreaterThan(300);
      series.add(labels);
    }
    assertThat(series.get(0)).containsExactlyInAnyOrderElementsOf(series.get(1));
  }

  /** Without quantiles, which 2.x interpolates on a linear scale and 3.x on a logarithmic one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rpc_seconds",
        "rate(rpc_seconds[1m])",
        "increase(rpc_seconds[2m])",
        "sum(rpc_seconds)",
        "histogram_count(rpc_seconds)",
        "histogram_sum(rpc_seconds)",
        "count_over_time(rpc_seconds[2m])"
      })
  void nativeHistograms_areTheSame(String query) throws Exception {
    for (double time : new double[] {end, end - 31, end - 62}) {
      Map<String, JsonNode> mine = result(ours, query, time);
      Map<String, JsonNode> theirs = result(prometheus, query, time);
      assertThat(mine).as(query).isNotEmpty().containsOnlyKeys(theirs.keySet());
      theirs.forEach(
          (labels, value) ->
              assertClose(mine.getOrDefault(labels, NOTHING), value, query + labels));
    }
  }

  private static void assertClose(JsonNode mine, JsonNode theirs, String description) {
    List<String> left = scalars(mine);
    List<String> right = scalars(theirs);
    assertThat(left).as("%s: %s, Prometheus %s", description, mine, theirs).hasSameSizeAs(right);
    for (int i = 0; i < left.size(); i++) {
      double a = Double.parseDouble(left.get(i));
      double b = Double.parseDouble(right.get(i));
      assertThat(Math.abs(a - b))
          .as("%s: %s, Prometheus %s", description, mine, theirs)
          .isLessThanOrEqualTo(1e-9 * Math.max(1, Math.abs(b)));
    }
  }

  private static List<String> scalars(JsonNode node) {
    List<String> scalars = new ArrayList<>();
    if (node.isValueNode()) {
      scalars.add(node.asText());
    }
    node.forEach(part -> scalars.addAll(scalars(part)));
    return scalars;
  }

  /** Label sets to values: a number's text, or a histogram as it is. */
  private Map<String, JsonNode> result(Program server, String query, double time) throws Exception {
    String answer =
        server.get("/api/v1/query", Map.of("query", query, "time", Double.toString(time)));
    JsonNode root = json.readTree(answer);
    assertThat(root.path("status").asText()).as(answer).isEqualTo("success");
    Map<String, JsonNode> result = new TreeMap<>();
    for (JsonNode one : root.path("data").path("result")) {
      JsonNode sample = one.has("histogram") ? one.path("histogram") : one.path("value");
      result.put(one.path("metric").toString(), sample.path(1));
    }
    return result;
  }
}
