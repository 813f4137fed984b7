package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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

  private final ObjectMapper json = new ObjectMapper();
  private final List<AutoCloseable> running = new ArrayList<>();
  private double end;
  private Program ours;
  private Program prometheus;

  @BeforeAll
  void scrapeTheSame(@TempDir Path folder) throws Exception {
    Program.installed("prometheus");
    FrameServer frames = keep(FrameServer.ofRealDumps());
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
      while (!Answers.series(server, taken, time).equals(Map.of("{}", (double) dumps))) {
        Thread.sleep(10);
      }
    }
  }

  private void awaitRealHost() throws Exception {
    for (Program server : List.of(ours, prometheus)) {
      while (Answers.series(server, "node_uname_info{job=\"real-host\"}", now()).isEmpty()) {
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
      Answers.assertSame(
          Answers.series(ours, query, time),
          Answers.series(prometheus, query, time),
          query + " @" + time);
    }
    if (!query.startsWith("sort")) {
      Answers.assertSame(
          Answers.range(ours, query, end - 600, end, 15),
          Answers.range(prometheus, query, end - 600, end, 15),
          query);
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
    assertThat(Answers.series(ours, names, now()))
        .isEqualTo(Answers.series(prometheus, names, now()));
    for (String query :
        List.of(
            "node_memory_MemTotal_bytes{job=\"real-host\"}",
            "node_uname_info{job=\"real-host\"}",
            "node_boot_time_seconds{job=\"real-host\"}")) {
      assertThat(Answers.series(ours, query, now()))
          .isEqualTo(Answers.series(prometheus, query, now()));
    }
  }
}
