package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

/** Values of engines worked out by hand from what their pages say. */
class EnginesATest {
  /** Two data-parallel ranks whose tensor-parallel ranks export copies, with priorities. */
  private static final String SGLANG =
      """
      sglang:num_running_reqs{model_name="m",engine_type="decode",dp_rank="0",tp_rank="0"} 5
      sglang:num_running_reqs{model_name="m",engine_type="decode",dp_rank="0",tp_rank="1"} 5
      sglang:num_running_reqs{model_name="m",engine_type="decode",dp_rank="1",tp_rank="2"} 3
      sglang:num_running_reqs{model_name="m",dp_rank="0",tp_rank="0",priority="1"} 2
      sglang:num_running_reqs{model_name="m",dp_rank="0",tp_rank="0",priority="2"} 3
      sglang:num_queue_reqs{model_name="m",dp_rank="0",tp_rank="0"} 4
      sglang:num_queue_reqs{model_name="m",dp_rank="0",tp_rank="1"} 4
      sglang:num_queue_reqs{model_name="m",dp_rank="1",tp_rank="2"} 2
      sglang:num_grammar_queue_reqs{model_name="m",dp_rank="0",tp_rank="0"} 1
      sglang:token_usage{model_name="m",dp_rank="0",tp_rank="0"} 0.5
      sglang:token_usage{model_name="m",dp_rank="0",tp_rank="1"} 0.5
      sglang:token_usage{model_name="m",dp_rank="1",tp_rank="2"} 0.9
      sglang:max_total_num_tokens{model_name="m",dp_rank="0",tp_rank="0"} 1000
      sglang:max_total_num_tokens{model_name="m",dp_rank="0",tp_rank="1"} 1000
      sglang:max_total_num_tokens{model_name="m",dp_rank="1",tp_rank="2"} 1000
      sglang:realtime_tokens_total{model_name="m",dp_rank="0",tp_rank="0",mode="decode"} 6000
      sglang:realtime_tokens_total{model_name="m",dp_rank="0",tp_rank="1",mode="decode"} 6000
      sglang:realtime_tokens_total{model_name="m",dp_rank="1",tp_rank="2",mode="decode"} 1200
      sglang:realtime_tokens_total{model_name="m",dp_rank="0",mode="prefill_compute"} 3000
      sglang:realtime_tokens_total{model_name="m",dp_rank="0",mode="prefill_cache"} 1000
      sglang:num_retracted_input_tokens_total{model_name="m",dp_rank="0"} 250
      sglang:num_retracted_output_tokens_total{model_name="m",dp_rank="0"} 50
      sglang:cached_tokens_total{model_name="m",cache_source="device"} 300
      sglang:cached_tokens_total{model_name="m",cache_source="host"} 100
      sglang:cached_tokens_total{model_name="m",cache_source="total"} 400
      sglang:prompt_tokens_total{model_name="m",is_streaming="true"} 600
      sglang:prompt_tokens_total{model_name="m",is_streaming="false"} 200
      sglang:generation_tokens_total{model_name="m",is_streaming="true"} 700
      sglang:generation_tokens_total{model_name="m",is_streaming="false"} 100
      sglang:num_requests_total{model_name="m",is_streaming="true"} 8
      sglang:num_requests_total{model_name="m",is_streaming="false"} 2
      sglang:num_aborted_requests_total{model_name="m"} 1
      sglang:spec_verify_calls_total{model_name="m"} 200
      sglang:kv_transfer_latency_ms_bucket{model_name="m",dp_rank="0",le="1.0"} 0
      sglang:kv_transfer_latency_ms_bucket{model_name="m",dp_rank="0",le="10.0"} 2
      sglang:kv_transfer_latency_ms_bucket{model_name="m",dp_rank="0",le="100.0"} 3
      sglang:kv_transfer_latency_ms_bucket{model_name="m",dp_rank="0",le="2500.0"} 4
      sglang:kv_transfer_latency_ms_bucket{model_name="m",dp_rank="0",le="+Inf"} 4
      sglang:kv_transfer_latency_ms_sum{model_name="m",dp_rank="0"} 300
      sglang:kv_transfer_latency_ms_count{model_name="m",dp_rank="0"} 4
      sglang:kv_transfer_total_mb_sum{model_name="m",dp_rank="0"} 600
      """;

  private static final String LMDEPLOY =
      """
      lmdeploy:num_requests_running{model_name="m",engine="0"} 6
      lmdeploy:num_requests_running{model_name="m",engine="1"} 2
      lmdeploy:num_requests_waiting{model_name="m",engine="0"} 3
      lmdeploy:num_api_requests_waiting{model_name="m",engine="0"} 4
      lmdeploy:gpu_cache_usage_perc{model_name="m",engine="0"} 0.2
      lmdeploy:gpu_cache_usage_perc{model_name="m",engine="1"} 0.6
      lmdeploy:request_success_total{model_name="m",finished_reason="ResponseType.FINISH"} 15
      lmdeploy:request_success_total{model_name="m",finished_reason="ResponseType.CANCEL"} 3
      lmdeploy:request_success_total{model_name="m",finished_reason="ResponseType.INPUT_LENGTH_ERROR"} 2
      lmdeploy:cached_tokens_total{model_name="m",engine="0"} 250
      lmdeploy:prompt_tokens_total{model_name="m",engine="0"} 1000
      lmdeploy:generation_tokens_total{model_name="m",engine="0"} 500
      lmdeploy:num_requests_failed{model_name="m",engine="0"} 2
      lmdeploy:iter_token_latency_sum{model_name="m",engine="0"} 5
      lmdeploy:iter_token_latency_count{model_name="m",engine="0"} 200
      """;

  @Test
  void sglang_underOverload() throws QueryException {
    OnePage page = OnePage.named("sglang_v0.4", "sglang/meta-llama/Llama-3.1-8B-Instruct");
    page.has("request_rate", 11228 / 60.0);
    page.has("ttft_mean", 2.3518979474117756e+06 / 11008);
    page.has("e2e_mean", 3.116093850019932e+06 / 11228);
    page.has("itl_mean", 866964.5791549598 / 7400757);
    page.has("prompt_token_rate", 8128902 / 60.0);
    page.has("output_token_rate", 7557572 / 60.0);
    page.has("prompt_length_mean", 8128902.0 / 11228);
    page.has("ntpot_mean", 3.116093850019932e+06 / 7557572);
    page.has("system_efficiency", 162 / (162 + 2826.0));
    page.has("waiting", 2826);
    page.has("kv_usage_max", 0.28);
    // The median of 7400757 gaps is the 3700378.5th: 433413 under 75 ms, 4950195 under 100 ms.
    page.between("itl_p50", 0.075 + 0.025 * (3700378.5 - 433413) / (4950195 - 433413), 0.075, 0.1);
    // 2513 of 11008 first tokens came within 30 s, the last edge.
    page.between("ttft_p50", 30, 30, Double.POSITIVE_INFINITY);
  }

  @Test
  void sglang_ranksAndPriorities() throws QueryException {
    OnePage page = OnePage.of(SGLANG, "sglang/m");
    page.has("running", 5 + 3);
    page.has("waiting", 4 + 2 + 1);
    page.has("waiting_by_reason", Map.of("capacity", 6.0, "grammar", 1.0), "reason");
    page.has("kv_usage", 0.7);
    page.has("kv_usage_max", 0.9);
    page.has("kv_capacity_tokens", 2000);
    page.has("output_token_rate", (6000 + 1200) / 60.0);
    page.has("prompt_token_rate", (3000 + 1000) / 60.0);
    page.has("prefix_hit_share", 0.25);
    page.has("cached_prompt_share", 0.5);
    page.has("external_prefix_hit_share", 0.125);
    page.has("prefill_token_share", 3000.0 / (3000 + 7200));
    page.has("recompute_share", 0.1);
    page.has("request_rate", 10 / 60.0);
    page.has("abort_share", 0.1);
    page.has("spec_acceptance_length", (800 - 10) / 200.0);
    page.has("spec_accepted_rate", (800 - 10 - 200) / 60.0);
  }

  @Test
  void sglang_millisecondsOfTransfers() throws QueryException {
    OnePage page = OnePage.of(SGLANG, "sglang/m");
    page.between("kv_transfer_time_p50", 0.01, 0.001, 0.01);
    page.between("kv_transfer_time_p90", 0.1 + 2.4 * 0.6, 0.1, 2.5);
    page.has("kv_transfer_time_mean", 0.075);
    page.has("kv_transfer_rate", 1e7);
    page.has("kv_transfer_bandwidth", 2e9);
  }

  @Test
  void sglang_ranksOfOneModel() throws QueryException {
    OnePage page = OnePage.named("sglang_v0.5-dp8", "sglang/deepseek-r1");
    double zeroToThree = 35.423840583853774 + 35.41880810293355 + 141.7546862896204;
    double fourToSeven =
        141.74408727960696 + 140.76470568188876 + 35.442541417324875 + 35.43700884115304;
    page.has("output_token_rate", zeroToThree + fourToSeven);
    page.has("waiting", 0);
  }

  @Test
  void sglang_percentageOfTheFirstPages() throws QueryException {
    OnePage page = OnePage.named("sglang_v0.3", "sglang/page:1");
    page.has("prefix_hit_share", 0.8758777633289988);
    assertThat(page.traps()).contains("cache-hit-rate-percent");
  }

  @Test
  void sglang_traps() throws QueryException {
    assertThat(OnePage.of(SGLANG, "sglang/m").traps())
        .contains("priority-doubles", "cached-total-doubles", "ranks-repeat")
        .doesNotContain("one-dp-rank", "gen-throughput-frozen", "tokens-at-end", "http-paths");
    assertThat(
            OnePage.of(
                    """
                    sglang:gen_throughput{model_name="m",dp_rank="0",tp_rank="0"} 50
                    sglang:num_running_reqs{model_name="m",dp_rank="0",tp_rank="0"} 0
                    """,
                    "sglang/m")
                .traps())
        .containsExactlyInAnyOrder("gen-throughput-frozen", "one-dp-rank");
    assertThat(OnePage.named("sglang_v0.4", "sglang/m").traps())
        .containsExactlyInAnyOrder("cache-hit-rate-last-batch", "tokens-at-end", "itl-called-tpot");
  }

  @Test
  void sglang_idleHasNoThroughput() throws QueryException {
    String page =
        """
        sglang:gen_throughput{model_name="m",tp_rank="0"} 50
        sglang:num_running_reqs{model_name="m",tp_rank="0"} 0
        """;
    OnePage.of(page, "sglang/m").has("output_token_rate", 0);
    OnePage.of(page.replace("} 0", "} 3"), "sglang/m").has("output_token_rate", 50);
  }

  @Test
  void sglang_facets() throws QueryException {
    assertThat(OnePage.of(SGLANG, "sglang/m").facets())
        .containsEntry("mode", "decode half of a pair")
        .containsEntry("parallel", "several data-parallel ranks")
        .containsEntry("copies", "every rank exports")
        .containsEntry("scheduling", "by priority");
    assertThat(OnePage.named("sglang_v0.5-dp8", "sglang/m").facets()).containsOnlyKeys("parallel");
  }

  @Test
  void sglang_pagesToldByALabel() throws QueryException {
    OnePage page =
        OnePage.of(
            """
            sglang:num_running_reqs{model_name="m"} 1
            sglang:cache_config_info{model_name="m",page_size="16",num_pages="100"} 1
            """,
            "sglang/m");
    page.has("kv_capacity_tokens", 1600);
    page.has("kv_block_size", 16);
  }

  @Test
  void tgi_firstPartOfAPage() throws QueryException {
    OnePage page = OnePage.named("tgi_v2", "tgi/page:1");
    page.has("request_rate", (109 + 2) / 60.0);
    page.has("request_start_rate", 111 / 60.0);
    page.has("error_share", 2 / 111.0);
    page.has("completed_share", 109 / 111.0);
    page.has(
        "finish_rate", Map.of("success", 109 / 60.0, "validation", 2 / 60.0), "finished_reason");
    page.has("prompt_token_rate", 662 / 60.0);
    page.has("prompt_length_mean", 662 / 109.0);
    page.has("inference_time_mean", 245.91743839099996 / 109);
    page.has("step_rate", (1509 + 16) / 60.0);
    // P95 of 109 is the 103.55th: 103 lie under 2.525 s, 104 under 3.788 s.
    double low = 2.5251168294042348;
    double high = 3.787675244106352;
    page.between("inference_time_p95", low + (high - low) * 0.55, low, high);
    page.between("prompt_length_p50", 5.11 + 5.11 / 2, 5.11, 10.22);
    assertThat(page.traps()).containsExactly("edges-differ");
  }

  @Test
  void llamacpp_countersOnly() throws QueryException {
    OnePage page = OnePage.named("llamacpp_2025-06", "llamacpp/page:1");
    page.has("itl_mean", 29.567 / 673);
    page.has("prompt_token_rate", 143 / 60.0);
    page.has("output_token_rate", 673 / 60.0);
    page.has("prefill_share", 8.168 / (8.168 + 29.567));
    page.has("prefill_token_share", 143.0 / (143 + 673));
    assertThat(page.reason("kv_usage")).contains("Removed in May 2025");
    assertThat(page.traps()).containsExactlyInAnyOrder("prompt-without-cached", "kv-cache-gone");
    OnePage.of("llamacpp_tokens_predicted_total 120\n", "llamacpp-renamed/page:1")
        .has("output_token_rate", 2);
  }

  @Test
  void llamacpp_trapsOfNumbers() throws QueryException {
    assertThat(OnePage.of("llamacpp:predicted_tokens_seconds nan\n", "llamacpp/page:1").traps())
        .contains("not-a-number");
    assertThat(
            OnePage.of("llamacpp:tokens_predicted_total 1.23457e+06\n", "llamacpp/page:1").traps())
        .contains("six-digits");
  }

  @Test
  void lmdeploy_successesThatAreNone() throws QueryException {
    OnePage page = OnePage.of(LMDEPLOY, "lmdeploy/m");
    page.has("request_rate", 20 / 60.0);
    page.has("completed_rate", 15 / 60.0);
    page.has("error_share", 5 / 20.0);
    page.has("abort_share", 3 / 20.0);
    page.has("running", 8);
    page.has("waiting", 7);
    page.has("kv_usage", 0.4);
    page.has("prefix_hit_share", 0.25);
    page.has("itl_mean", 0.025);
    page.has("prefill_token_share", 750 / (750 + 500.0));
    page.has(
        "finish_rate",
        Map.of("FINISH", 0.25, "CANCEL", 0.05, "INPUT_LENGTH_ERROR", 2 / 60.0),
        "finished_reason");
    assertThat(page.traps()).contains("success-counts-failures", "growing-gauges");
    assertThat(page.facets()).containsKey("parallel");
  }
}
