package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.inferometer.acceptance.Shared;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Prometheus and ours scrape the same real dumps, made into twenty minutes of history, and a real
 * node-exporter; then both are asked the same.
 *
 * <p>Times of evaluation lie off the sample grid, since ranges of Prometheus 2.x still include
 * their left edge, and windows lie inside the history, since 2.x extrapolates a counter to zero by
 * another rule at its beginning.
 */
@TestInstance(Lifecycle.PER_CLASS)
class SideBySideTest {
  private static final int FRAMES = 80;
  private static final long FRAME_MS = 15_000;
  private static final double TOLERANCE = 1e-9;

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

  private final ObjectMapper json = new ObjectMapper();
  private final List<AutoCloseable> running = new ArrayList<>();
  private double end;
  private Program ours;
  private Program prometheus;

  @BeforeAll
  void scrapeTheSame(@TempDir Path folder) throws Exception {
    Program.installed("prometheus");
    Map<String, Path> files = new TreeMap<>();
    DUMPS.forEach((name, file) -> files.put(name, Shared.path("fixtures/" + file)));
    FrameServer frames = keep(new FrameServer(files));
    Program exporter = keep(Program.nodeExporter(folder));
    Path config = folder.resolve("scrape.yml");
    Files.writeString(config, frames.scrapeConfigs() + realHost(exporter));
    ours = keep(Program.inferometer(folder, List.of("--config", config.toString())));
    prometheus = keep(Program.prometheus(folder, config));
    long endMs = System.currentTimeMillis() / FRAME_MS * FRAME_MS;
    end = endMs / 1000.0 - 8;
    for (int frame = 0; frame < FRAMES; frame++) {
      long timestampMs = endMs - (FRAMES - 1 - frame) * FRAME_MS;
      frames.show(frame, timestampMs);
      awaitFrame(frame, frames.size(), timestampMs / 1000.0);
    }
    awaitRealHost();
  }

  private <T extends AutoCloseable> T keep(T resource) {
    running.add(resource);
    return resource;
  }

  private static String realHost(Program exporter) {
    return "  - job_name: real-host\n    scrape_interval: 1s\n    scrape_timeout: 1s\n"
        + "    static_configs:\n      - targets: ['127.0.0.1:"
        + exporter.port()
        + "']\n";
  }

  private void awaitFrame(int frame, int dumps, double time) throws Exception {
    for (Program server : List.of(ours, prometheus)) {
      String taken = "count(frame == " + frame + ")";
      while (!series(server, taken, time).equals(Map.of("{}", (double) dumps))) {
        Thread.sleep(10);
      }
    }
  }

  private void awaitRealHost() throws Exception {
    for (Program server : List.of(ours, prometheus)) {
      while (series(server, "node_uname_info{job=\"real-host\"}", now()).isEmpty()) {
        Thread.sleep(50);
      }
    }
  }

  private static double now() {
    return System.currentTimeMillis() / 1000.0;
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable resource : running.reversed()) {
      resource.close();
    }
  }

  static Stream<String> queries() {
    return Stream.of(
        "histogram_quantile(0.99, sum(rate(vllm:time_to_first_token_seconds_bucket[5m])) by (le))",
        "histogram_quantile(0.5, sum by (le) (rate(vllm:time_to_first_token_seconds_bucket[5m])))",
        "histogram_quantile(0.95, sum by (job, le)"
            + " (rate(vllm:e2e_request_latency_seconds_bucket[5m])))",
        "histogram_quantile(0.95, sum by (le, model_name)"
            + " (rate(vllm:time_per_output_token_seconds_bucket[2m])))",
        "sum by (job, le) (rate(vllm:time_to_first_token_seconds_bucket[5m]))",
        "sum(rate(vllm:request_success_total{finished_reason=\"stop\"}[5m]))"
            + " / sum(rate(vllm:request_success_total[5m]))",
        "sum by (finished_reason) (rate(vllm:request_success_total[1m]))",
        "rate(vllm:prompt_tokens_total[1m])",
        "sum by (job)(rate(vllm:generation_tokens_total[2m]))",
        "sum(rate(vllm:prompt_tokens_total[5m]))"
            + " / clamp_min(sum(rate(vllm:generation_tokens_total[5m])), 0.001)",
        "max(vllm:gpu_cache_usage_perc)",
        "max_over_time(vllm:num_requests_waiting[5m])",
        "sum(rate(vllm:request_queue_time_seconds_sum[5m]))"
            + " / clamp_min(sum(rate(vllm:request_queue_time_seconds_count[5m])), 0.001)",
        "histogram_quantile(0.5, sum by (le) (rate(vllm:iteration_tokens_total_bucket[5m])))",
        "rate(vllm:num_preemptions_total[5m]) > 0.1",
        "sum(rate(vllm:generation_tokens_total[5m])) unless on() (histogram_quantile(0.99,"
            + " sum by (le) (rate(vllm:time_to_first_token_seconds_bucket[5m]))) > 0.2)",
        "sum by (job) (rate(vllm:generation_tokens_total[2m]))"
            + " / on() group_left() count(DCGM_FI_DEV_GPU_UTIL{job=\"dcgm\"})",
        "stddev by (Hostname) (DCGM_FI_PROF_GR_ENGINE_ACTIVE) > 0.05",
        "avg by (job) (DCGM_FI_DEV_GPU_UTIL)",
        "avg(DCGM_FI_DEV_GPU_UTIL) > 0 and avg(DCGM_FI_PROF_PIPE_TENSOR_ACTIVE) < 0.20",
        "sum by (Hostname, gpu) (DCGM_FI_DEV_FB_USED)"
            + " / sum by (Hostname, gpu) (DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE)",
        "deriv(DCGM_FI_DEV_GPU_TEMP[10m])",
        "predict_linear(DCGM_FI_DEV_FB_USED[10m], 600)",
        "topk(3, DCGM_FI_DEV_POWER_USAGE)",
        "bottomk(2, DCGM_FI_DEV_SM_CLOCK)",
        "quantile by (job) (0.9, DCGM_FI_DEV_POWER_USAGE)",
        "count by (__name__) ({job=\"dcgm\"})",
        "count_values(\"v\", sglang:num_running_reqs > bool 0)",
        "label_replace(sglang:token_usage, \"short\", \"$1\", \"model_name\", \".*/(.*)\")",
        "label_join(sglang:cache_hit_rate, \"both\", \"-\", \"job\", \"instance\")",
        "irate(sglang:prompt_tokens_total[1m]) + ignoring(x) idelta(sglang:token_usage[1m])",
        "delta(nv_gpu_memory_used_bytes[5m])",
        "increase(nv_inference_request_success[5m])",
        "avg_over_time(nv_gpu_utilization[5m:30s])",
        "quantile_over_time(0.9, nv_gpu_power_usage[10m])",
        "stddev_over_time(num_requests_running[10m])",
        "resets(process_cpu_seconds_total{job=\"nim\"}[10m])",
        "changes(gpu_cache_usage_perc[10m])",
        "1 - avg by (instance) (rate(node_cpu_seconds_total{mode=\"idle\",job=\"node\"}[5m]))",
        "sum by (mode) (rate(node_cpu_seconds_total{job=\"node\"}[5m]))",
        "topk(5, rate(node_network_receive_bytes_total{job=\"node\",device!~\"lo|veth.*\"}[5m]))",
        "node_memory_MemAvailable_bytes{job=\"node\"} / node_memory_MemTotal_bytes",
        "absent(vllm:time_per_output_token_seconds_bucket{job=\"none\"})",
        "sort_desc(sum by (device) (node_disk_read_bytes_total{job=\"node\"}))",
        "rate(vllm:generation_tokens_total[5m] offset 5m)",
        "sum(vllm:num_requests_running) or vector(0)",
        "time() - max(timestamp(vllm:num_requests_running))",
        "hour(vector(time())) * 60 + minute(vector(time()))");
  }

  @ParameterizedTest
  @MethodSource("queries")
  void bothAnswerTheSame(String query) throws Exception {
    for (double time : new double[] {end, end - 303, end - 600.5}) {
      assertSame(series(ours, query, time), series(prometheus, query, time), query + " @" + time);
    }
    if (!query.startsWith("sort")) {
      assertSame(range(ours, query), range(prometheus, query), query);
    }
  }

  @Test
  void bothKnowTheSameSeries() throws Exception {
    for (String job : List.of("vllm", "dcgm.*", "triton", "node")) {
      String selector = "{job=~\"" + job + "\",__name__!~\"inferometer_.*\"}";
      Map<String, String> parameters = Map.of("match[]", selector);
      assertThat(json.readTree(ours.get("/api/v1/series", parameters)).path("data"))
          .as(selector)
          .containsExactlyInAnyOrderElementsOf(
              json.readTree(prometheus.get("/api/v1/series", parameters)).path("data"));
    }
  }

  @Test
  void bothSeeTheRealHost() throws Exception {
    String names = "count(count by (__name__) ({job=\"real-host\",__name__=~\"node_.*\"}))";
    assertThat(series(ours, names, now())).isEqualTo(series(prometheus, names, now()));
    for (String query :
        List.of(
            "node_memory_MemTotal_bytes{job=\"real-host\"}",
            "node_uname_info{job=\"real-host\"}",
            "node_boot_time_seconds{job=\"real-host\"}")) {
      assertThat(series(ours, query, now())).isEqualTo(series(prometheus, query, now()));
    }
  }

  /** Labels to "time value" points. */
  private Map<String, List<double[]>> result(String answer) throws IOException {
    JsonNode root = json.readTree(answer);
    assertThat(root.path("status").asText()).as(answer).isEqualTo("success");
    Map<String, List<double[]>> result = new TreeMap<>();
    for (JsonNode one : root.path("data").path("result")) {
      List<double[]> points = new ArrayList<>();
      if (one.has("value")) {
        points.add(point(one.path("value")));
      }
      one.path("values").forEach(value -> points.add(point(value)));
      result.put(one.path("metric").toString(), points);
    }
    return result;
  }

  private static double[] point(JsonNode pair) {
    String text = pair.path(1).asText().replace("Inf", "Infinity");
    return new double[] {pair.path(0).asDouble(), Double.parseDouble(text)};
  }

  private Map<String, List<double[]>> instant(Program server, String query, double time)
      throws Exception {
    return result(
        server.get("/api/v1/query", Map.of("query", query, "time", Double.toString(time))));
  }

  /** Label sets to the value alone, for queries whose evaluation times differ. */
  private Map<String, Double> series(Program server, String query, double time) throws Exception {
    Map<String, Double> values = new TreeMap<>();
    instant(server, query, time).forEach((labels, points) -> values.put(labels, points.get(0)[1]));
    return values;
  }

  private Map<String, List<double[]>> range(Program server, String query) throws Exception {
    return result(
        server.get(
            "/api/v1/query_range",
            Map.of(
                "query",
                query,
                "start",
                Double.toString(end - 600),
                "end",
                Double.toString(end),
                "step",
                "15")));
  }

  private static void assertSame(Map<String, ?> ours, Map<String, ?> theirs, String description) {
    assertThat(ours.keySet()).as(description).isEqualTo(theirs.keySet());
    ours.forEach(
        (labels, value) -> {
          double[] left = flat(value);
          double[] right = flat(theirs.get(labels));
          assertThat(left).as(description + " " + labels).hasSameSizeAs(right);
          for (int i = 0; i < left.length; i++) {
            assertThat(close(left[i], right[i]))
                .as("%s %s: ours %s, Prometheus %s", description, labels, left[i], right[i])
                .isTrue();
          }
        });
  }

  private static double[] flat(@Nullable Object value) {
    if (value instanceof Double single) {
      return new double[] {single};
    }
    return ((List<?>) Objects.requireNonNull(value))
        .stream().flatMapToDouble(point -> java.util.Arrays.stream((double[]) point)).toArray();
  }

  private static boolean close(double a, double b) {
    return Double.compare(a, b) == 0
        || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  }
}
