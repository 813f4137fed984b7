package org.inferometer.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** For each rule an expression that trips it and two that look like it and don't. */
class RuleTableTest {
  /** An expression in its surroundings. */
  private record Row(String kind, String title, String unit, String expr) {
    List<Finding> findings() {
      return switch (kind) {
        case "panel" -> Written.panel(title, unit, expr);
        case "live" ->
            Written.findings(
                "rules.yml",
                Written.alertFile(title, expr, "      for: 5m\n"),
                LintOptions.offline()
                    .withLive(
                        new LiveNames(
                            "the server",
                            "",
                            true,
                            java.util.Map.of("up", Set.of(), "vllm:x", Set.of()))));
        case "now" -> Written.findings("rules.yml", Written.alertFile(title, expr, ""));
        default -> Written.findings("rules.yml", Written.alertFile(title, expr, "      for: 5m\n"));
      };
    }
  }

  /** A rule, what trips it, what doesn't. */
  private record Case(LintRule rule, Row trips, Row one, Row other) {}

  private static Row alert(String expr) {
    return new Row("alert", "Some", "", expr);
  }

  private static Row named(String title, String expr) {
    return new Row("alert", title, "", expr);
  }

  private static Row panel(String title, String expr) {
    return new Row("panel", title, "", expr);
  }

  private static Row unit(String unit, String expr) {
    return new Row("panel", "Some", unit, expr);
  }

  private static Case of(LintRule rule, Row trips, Row one, Row other) {
    return new Case(rule, trips, one, other);
  }

  private static final List<Case> CASES =
      List.of(
          of(
              LintRule.PARSE_ERROR,
              alert("sum(rate(vllm:prompt_tokens_total[5m])"),
              alert("sum(rate(vllm:prompt_tokens_total[5m])) > 1"),
              panel("A", "sum by ($by) (rate(vllm:prompt_tokens_total[$__rate_interval]))")),
          of(
              LintRule.UNKNOWN_METRIC,
              alert("vllm:num_requests_wating > 1"),
              alert("vllm:num_requests_waiting > 1"),
              alert("my_own_requests_waiting > 1")),
          of(
              LintRule.UNKNOWN_METRIC,
              alert("sum(rate(vllm:request_failure_counter[5m])) > 1"),
              alert("sum(rate(http_request_failure_counter[5m])) > 1"),
              alert("rate(vllm:request_success_total{finished_reason=\"error\"}[5m]) > 1")),
          of(
              LintRule.REMOVED_METRIC,
              alert("vllm:gpu_cache_usage_perc > 0.9"),
              alert("vllm:kv_cache_usage_perc > 0.9"),
              alert("lmdeploy:gpu_cache_usage_perc > 0.9")),
          of(
              LintRule.COUNTER_WITHOUT_TOTAL,
              alert("rate(vllm:prefix_cache_hits[5m]) > 0"),
              alert("rate(vllm:prefix_cache_hits_total[5m]) > 0"),
              alert("rate(tgi_request_count[5m]) > 0")),
          of(
              LintRule.NO_SERIES,
              new Row("live", "Some", "", "vllm:num_requests_waiting > 1"),
              new Row("live", "Some", "", "vllm:x > 1"),
              alert("vllm:num_requests_waiting > 1")),
          of(
              LintRule.RAW_COUNTER,
              panel("A", "vllm:generation_tokens_total"),
              panel("A", "rate(vllm:generation_tokens_total[5m])"),
              panel("A", "count(vllm:generation_tokens_total)")),
          of(
              LintRule.RAW_COUNTER,
              panel("A", "avg(vllm:e2e_request_latency_seconds_sum) / 3"),
              panel("A", "vllm:num_requests_running"),
              panel("A", "up * on(instance) (vllm:generation_tokens_total * 0 + 1)")),
          of(
              LintRule.DELTA_OF_COUNTER,
              panel("A", "delta(vllm:generation_tokens_total[1d])"),
              panel("A", "increase(vllm:generation_tokens_total[1d])"),
              panel("A", "delta(vllm:num_requests_running[1d])")),
          of(
              LintRule.RATE_OF_GAUGE,
              panel("A", "rate(DCGM_FI_PROF_PCIE_TX_BYTES[5m])"),
              panel("A", "avg_over_time(DCGM_FI_PROF_PCIE_TX_BYTES[5m])"),
              panel("A", "rate(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[5m])")),
          of(
              LintRule.QUANTILE_WITHOUT_LE,
              panel(
                  "A",
                  "histogram_quantile(0.9, sum by (model_name)"
                      + " (rate(vllm:time_to_first_token_seconds_bucket[5m])))"),
              panel(
                  "A",
                  "histogram_quantile(0.9, sum by (le, model_name)"
                      + " (rate(vllm:time_to_first_token_seconds_bucket[5m])))"),
              panel(
                  "A",
                  "histogram_quantile(0.9, sum without (instance)"
                      + " (rate(vllm:time_to_first_token_seconds_bucket[5m])))")),
          of(
              LintRule.QUANTILE_RANGE,
              panel("A", "histogram_quantile(95, rate(x_bucket[5m]))"),
              panel("A", "histogram_quantile(0.95, rate(x_bucket[5m]))"),
              panel("A", "histogram_quantile($q, rate(x_bucket[5m]))")),
          of(
              LintRule.HISTOGRAM_KIND,
              panel("A", "histogram_quantile(0.9, rate(vllm:e2e_request_latency_seconds_sum[5m]))"),
              panel(
                  "A",
                  "histogram_quantile(0.9, rate(vllm:e2e_request_latency_seconds_bucket[5m]))"),
              panel("A", "histogram_quantile(0.9, rate(own_latency_seconds[5m]))")),
          of(
              LintRule.HISTOGRAM_KIND,
              panel("A", "rate(vllm:iteration_tokens_total[5m])"),
              panel("A", "rate(vllm:iteration_tokens_total_sum[5m])"),
              panel("A", "rate(vllm:generation_tokens_total[5m])")),
          of(
              LintRule.HISTOGRAM_KIND,
              panel("A", "rate(tgi_request_skipped_tokens_bucket[5m])"),
              panel("A", "rate(tgi_request_skipped_tokens_sum[5m])"),
              panel("A", "tgi_request_skipped_tokens{quantile=\"0.5\"}")),
          of(
              LintRule.AVERAGE_OF_QUANTILES,
              panel("A", "avg(histogram_quantile(0.9, rate(x_bucket[5m])))"),
              panel("A", "max(histogram_quantile(0.9, rate(x_bucket[5m])))"),
              panel("A", "histogram_quantile(0.9, sum by (le) (rate(x_bucket[5m])))")),
          of(
              LintRule.AVERAGE_OF_QUANTILES,
              panel("A", "sum(go_gc_duration_seconds{quantile=\"0.5\"})"),
              panel("A", "max(go_gc_duration_seconds{quantile=\"0.5\"})"),
              panel("A", "sum(rate(go_gc_duration_seconds_count[5m]))")),
          of(
              LintRule.MEAN_OF_MEANS,
              panel(
                  "A",
                  "avg(rate(vllm:e2e_request_latency_seconds_sum[5m])"
                      + " / rate(vllm:e2e_request_latency_seconds_count[5m]))"),
              panel(
                  "A",
                  "sum(rate(vllm:e2e_request_latency_seconds_sum[5m]))"
                      + " / sum(rate(vllm:e2e_request_latency_seconds_count[5m]))"),
              panel(
                  "A",
                  "max(rate(vllm:e2e_request_latency_seconds_sum[5m])"
                      + " / rate(vllm:e2e_request_latency_seconds_count[5m]))")),
          of(
              LintRule.QUANTILE_ARITHMETIC,
              panel(
                  "A",
                  "histogram_quantile(0.9, rate(a_bucket[5m]))"
                      + " - histogram_quantile(0.9, rate(b_bucket[5m]))"),
              panel("A", "histogram_quantile(0.9, rate(a_bucket[5m])) - 1"),
              panel(
                  "A",
                  "histogram_quantile(0.9, rate(a_bucket[5m]))"
                      + " / histogram_quantile(0.5, rate(a_bucket[5m]))")),
          of(
              LintRule.UNIT_SCALE,
              alert("vllm:kv_cache_usage_perc > 90"),
              alert("vllm:kv_cache_usage_perc > 0.9"),
              alert("vllm:kv_cache_usage_perc * 100 > 90")),
          of(
              LintRule.UNIT_SCALE,
              alert("DCGM_FI_DEV_GPU_UTIL < 0.2"),
              alert("DCGM_FI_DEV_GPU_UTIL < 20"),
              alert("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE < 0.2")),
          of(
              LintRule.UNIT_SCALE,
              alert("rate(DCGM_FI_DEV_THERMAL_VIOLATION[5m]) > 0.05"),
              alert("rate(DCGM_FI_DEV_THERMAL_VIOLATION[5m]) / 1e9 > 0.05"),
              alert("increase(DCGM_FI_DEV_THERMAL_VIOLATION[5m]) > 0")),
          of(
              LintRule.UNIT_SCALE,
              alert(
                  "histogram_quantile(0.9, rate(vllm:time_to_first_token_seconds_bucket[5m]))"
                      + " > 2000"),
              alert(
                  "histogram_quantile(0.9, rate(vllm:time_to_first_token_seconds_bucket[5m])) > 2"),
              alert(
                  "histogram_quantile(0.9, rate(vllm:time_to_first_token_seconds_bucket[5m]))"
                      + " * 1000 > 2000")),
          of(
              LintRule.UNIT_SCALE,
              alert(
                  "rate(nv_inference_queue_duration_us[5m])"
                      + " / rate(nv_inference_request_success[5m]) > 0.5"),
              alert(
                  "rate(nv_inference_queue_duration_us[5m]) / 1e6"
                      + " / rate(nv_inference_request_success[5m]) > 0.5"),
              alert(
                  "rate(nv_inference_queue_duration_us[5m])"
                      + " / rate(nv_inference_request_success[5m]) > 500000")),
          of(
              LintRule.UNIT_SCALE,
              unit("percent", "vllm:kv_cache_usage_perc"),
              unit("percentunit", "vllm:kv_cache_usage_perc"),
              unit("percent", "DCGM_FI_DEV_GPU_UTIL")),
          of(
              LintRule.UNKNOWN_LABEL,
              alert("rate(vllm:request_success_total{finish_reason=\"abort\"}[5m]) > 1"),
              alert("rate(vllm:request_success_total{finished_reason=\"abort\"}[5m]) > 1"),
              alert("rate(vllm:request_success_total{cluster=\"a\", shop=\"b\"}[5m]) > 1")),
          of(
              LintRule.UNKNOWN_LABEL,
              alert("sum by (finished_reason) (vllm:num_requests_running) > 1"),
              alert("sum by (model_name, pod) (vllm:num_requests_running) > 1"),
              alert("sum by (le) (rate(vllm:e2e_request_latency_seconds_bucket[5m])) > 1")),
          of(
              LintRule.COPIES_SUMMED,
              panel("A", "sum(sglang:num_running_reqs)"),
              panel(
                  "A",
                  "sum(max without (tp_rank, pp_rank, moe_ep_rank) (sglang:num_running_reqs))"),
              panel("A", "sum(vllm:num_requests_running)")),
          of(
              LintRule.SUMMED_RATIO,
              panel("A", "sum(vllm:kv_cache_usage_perc)"),
              panel("A", "max(vllm:kv_cache_usage_perc)"),
              panel("A", "sum by (instance) (vllm:kv_cache_usage_perc)")),
          of(
              LintRule.AVERAGED_USAGE,
              panel("A", "avg(vllm:kv_cache_usage_perc)"),
              panel("A", "max by (model_name) (vllm:kv_cache_usage_perc)"),
              panel("A", "avg(DCGM_FI_DEV_GPU_UTIL)")),
          of(
              LintRule.ROUTER_COPY,
              panel("A", "sum(vllm:num_requests_running)"),
              panel("A", "sum(vllm:num_requests_running{server=\"\"})"),
              panel("A", "sum(vllm:num_requests_running{model_name=\"m\"})")),
          of(
              LintRule.SHORT_WINDOW,
              alert("rate(vllm:generation_tokens_total[30s]) > 1"),
              alert("rate(vllm:generation_tokens_total[1m]) > 1"),
              alert("max_over_time(vllm:num_requests_running[30s]) > 1")),
          of(
              LintRule.INTERVAL_WINDOW,
              panel("A", "rate(vllm:generation_tokens_total[$__interval])"),
              panel("A", "rate(vllm:generation_tokens_total[$__rate_interval])"),
              panel("A", "max_over_time(vllm:num_requests_running[$__interval])")),
          of(
              LintRule.ALERT_WITHOUT_FOR,
              new Row("now", "Some", "", "vllm:num_requests_waiting > 10"),
              alert("vllm:num_requests_waiting > 10"),
              new Row("now", "Some", "", "increase(vllm:num_preemptions_total[10m]) > 10")),
          of(
              LintRule.DIVISION_BY_ZERO,
              alert("rate(a_total[5m]) / rate(b_total[5m]) > 0.1"),
              alert("rate(a_total[5m]) / (rate(b_total[5m]) > 0) > 0.1"),
              alert("a_bytes / b_bytes > 0.1")),
          of(
              LintRule.OR_VECTOR_ZERO,
              panel("A", "sum(up) or vector(0)"),
              panel("A", "sum(up) or vector(1)"),
              panel("A", "sum(up) or sum(other)")),
          of(
              LintRule.TITLE_MISMATCH,
              panel(
                  "TPOT",
                  "histogram_quantile(0.9, sum by (le)"
                      + " (rate(vllm:inter_token_latency_seconds_bucket[5m])))"),
              panel(
                  "Inter-token latency",
                  "histogram_quantile(0.9, sum by (le)"
                      + " (rate(vllm:inter_token_latency_seconds_bucket[5m])))"),
              panel(
                  "TPOT",
                  "histogram_quantile(0.9, sum by (le)"
                      + " (rate(vllm:request_time_per_output_token_seconds_bucket[5m])))")),
          of(
              LintRule.TITLE_MISMATCH,
              panel("Queue Time", "rate(vllm:request_queue_time_seconds_sum[5m])"),
              panel(
                  "Queue Time",
                  "rate(vllm:request_queue_time_seconds_sum[5m])"
                      + " / rate(vllm:request_queue_time_seconds_count[5m])"),
              panel("Token throughput", "rate(vllm:request_prompt_tokens_sum[5m])")),
          of(
              LintRule.TITLE_MISMATCH,
              named("LatencyP99", "histogram_quantile(0.95, rate(x_bucket[5m])) > 1"),
              named("LatencyP99", "histogram_quantile(0.99, rate(x_bucket[5m])) > 1"),
              panel("Latency (p50 / p90 / p99)", "histogram_quantile(0.9, rate(x_bucket[5m]))")),
          of(
              LintRule.MIXED_POPULATIONS,
              panel(
                  "A",
                  "rate(vllm:time_to_first_token_seconds_count[5m])"
                      + " / rate(vllm:e2e_request_latency_seconds_count[5m])"),
              panel(
                  "A",
                  "rate(vllm:e2e_request_latency_seconds_sum[5m])"
                      + " / rate(vllm:e2e_request_latency_seconds_count[5m])"),
              panel(
                  "A",
                  "rate(vllm:prefix_cache_hits_total[5m])"
                      + " / rate(vllm:prefix_cache_queries_total[5m])")),
          of(
              LintRule.MIXED_POPULATIONS,
              panel(
                  "A",
                  "histogram_quantile(0.9, sum by (le) (rate(a_bucket[5m]) + rate(b_bucket[5m])))"),
              panel(
                  "A",
                  "histogram_quantile(0.9, sum by (le) (rate(a_bucket[5m]) or"
                      + " rate(b_bucket[5m])))"),
              panel(
                  "A",
                  "histogram_quantile(0.9, sum by (le) (rate(a_bucket[5m])))"
                      + " + sum(rate(b_bucket[5m]))")),
          of(
              LintRule.ABSENT_BLIND,
              alert("absent(vllm:num_requests_running)"),
              alert("absent(up{job=\"vllm\"})"),
              alert("absent(vllm:num_requests_running) and on () (up == 1)")),
          of(
              LintRule.STICKY_VALUE,
              alert("DCGM_FI_DEV_XID_ERRORS > 0"),
              alert("DCGM_FI_DEV_XID_ERRORS == 79"),
              alert("changes(DCGM_FI_DEV_XID_ERRORS[5m]) > 0")),
          of(
              LintRule.STICKY_VALUE,
              alert("max by (gpu) (DCGM_FI_DEV_XID_ERRORS) != 0"),
              alert("DCGM_FI_DEV_XID_ERRORS == 79"),
              alert("changes(DCGM_FI_DEV_XID_ERRORS[5m]) > 0 and DCGM_FI_DEV_XID_ERRORS > 0")),
          of(
              LintRule.BIT_MASK,
              named("HwThermalSlowdown", "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS == 8"),
              named("HwThermalSlowdown", "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS == 64"),
              named("HwSlowdown", "floor(DCGM_FI_DEV_CLOCK_THROTTLE_REASONS / 8) % 2 == 1")),
          of(
              LintRule.BIT_MASK,
              alert("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS > 0"),
              alert("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS >= 8"),
              alert("DCGM_FI_DEV_GPU_UTIL > 0")),
          of(
              LintRule.LE_TEXT,
              alert("rate(vllm:e2e_request_latency_seconds_bucket{le=\"1\"}[5m]) > 1"),
              alert("rate(vllm:e2e_request_latency_seconds_bucket{le=\"1.0\"}[5m]) > 1"),
              alert("rate(vllm:e2e_request_latency_seconds_bucket{le=\"+Inf\"}[5m]) > 1")));

  @TestFactory
  Stream<DynamicTest> rules_tripWhereTheyShouldAndNowhereElse() {
    return CASES.stream()
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.rule().id() + ": " + one.trips().expr(),
                    () -> {
                      assertThat(Written.rules(one.trips().findings())).contains(one.rule());
                      for (Row quiet : List.of(one.one(), one.other())) {
                        assertThat(Written.rules(quiet.findings()))
                            .as(quiet.expr())
                            .doesNotContain(one.rule());
                      }
                    }));
  }

  @Test
  void everyRule_hasItsRow() {
    Set<LintRule> seen = EnumSet.noneOf(LintRule.class);
    CASES.forEach(one -> seen.add(one.rule()));
    assertThat(seen).containsExactlyInAnyOrderElementsOf(Arrays.asList(LintRule.values()));
  }
}
