package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.Shared;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

/**
 * Triton, TensorRT-LLM, Dynamo and gateways: values worked out from the pages by hand. Pages are
 * real ones, and short ones written here for what no real one has.
 */
class EnginesBTest {
  private static final String PIPELINE = "triton-trtllm/tensorrt_llm";
  private static final String TRTLLM = "trtllm/qwen";
  private static final String DYNAMO = "dynamo/llama";

  private static final Catalogue CATALOGUE = Catalogue.builtIn();
  private static final Signals REAL =
      signals(
          new TestWorld()
              .add(real("triton_server_2.3x-summaries_datadog"), "triton", "triton:8002")
              .add(
                  real("triton-trtllm_23.11-v1-model_tensorrtllm-backend-readme_excerpt"),
                  "v1",
                  "v1:8002")
              .add(
                  real("trtllm_1.1.0rc5-via-dynamo-no-inf-bucket_dynamo-docs"), "docs", "docs:8000")
              .add(
                  real("dynamo_2026-frontend-unit-test-fixture_rust-tui"), "dynamo", "fixture:8000")
              .add(
                  real("litellm_v1.95-proxy-counters-and-created_datadog_excerpt"),
                  "litellm",
                  "litellm:4000"));

  @Test
  void tritonAddsUpMicroseconds() throws QueryException {
    String densenet = "triton/densenet_onnx";
    value(REAL, densenet, "request_rate", 3 / 60.0);
    value(REAL, densenet, "error_share", 0);
    value(REAL, densenet, "e2e_mean", 0.442655);
    value(REAL, densenet, "queue_time_mean", 145e-6 / 3);
    value(REAL, densenet, "inference_time_mean", 0.442277);
    value(REAL, densenet, "frontend_time_mean", 989e-6 / 3);
    value(REAL, densenet, "waiting", 0);
  }

  @Test
  void tokensOfABatchWithoutInFlightBatching() throws QueryException {
    value(REAL, PIPELINE, "tokens_per_step_mean", 5 + 20);
    value(REAL, PIPELINE, "prefill_token_share", 5 / 25.0);
  }

  @Test
  void aHistogramCutBeforeInfinityHasItsMeanOnly() throws QueryException {
    String qwen = "trtllm/Qwen/Qwen3-0.6B";
    value(REAL, qwen, "request_rate", 155 / 60.0);
    value(REAL, qwen, "stop_share", 150 / 155.0);
    value(REAL, qwen, "ttft_mean", 8.75 / 150);
    value(REAL, qwen, "tpot_mean", 12.5 / 150);
    value(REAL, qwen, "e2e_mean", 45.2 / 150);
    value(REAL, qwen, "queue_share", 32.1 / 45.2);
    assertThat(result(REAL, qwen, "ttft_p95").reason()).contains("no bucket up to infinity");
  }

  @Test
  void dynamosFrontEnd() throws QueryException {
    String model = "dynamo/example/example-model-nvfp4";
    value(REAL, model, "request_rate", 6100 / 60.0);
    value(REAL, model, "output_token_rate", 500_000 / 60.0);
    value(REAL, model, "prompt_token_rate", 8_000_000 / 60.0);
    // The 500th of 1000 first tokens: 400 within 1 s, 900 within 10 s.
    quantile(REAL, model, "ttft_p50", 1 + 9 * 100 / 500.0, 1, 10);
    quantile(REAL, model, "itl_p50", 0.024 * 50_000 / 80_000, 0, 0.024);
    quantile(REAL, model, "e2e_p50", 22 + 18 * 200 / 500.0, 22, 40);
    quantile(REAL, model, "output_length_p95", 880 + 920 * 450 / 500.0, 880, 1800);
    value(REAL, model, "e2e_mean", 32);
    value(REAL, model, "running", 12);
  }

  @Test
  void litellmCountsByStatus() throws QueryException {
    String proxy = "litellm/litellm:4000";
    value(REAL, proxy, "request_rate", 24 / 60.0);
    value(REAL, proxy, "completed_rate", 22 / 60.0);
    value(REAL, proxy, "error_share", 2 / 24.0);
    value(REAL, proxy, "http_5xx_share", 2 / 24.0);
    value(REAL, proxy, "gc_rate", 7 / 60.0);
    value(REAL, proxy, "process_memory", 1_175_093_248);
  }

  private static final String TRITON_PAGE =
      """
      nv_inference_request_success{model="ensemble",version="1"} 30
      nv_inference_request_success{model="preprocessing",version="1"} 31
      nv_inference_request_success{model="tensorrt_llm",version="1"} 0
      nv_inference_request_failure{model="ensemble",version="1",reason="CANCELED"} 2
      nv_inference_request_failure{model="ensemble",version="1",reason="BACKEND"} 1
      nv_inference_request_failure{model="preprocessing",version="1",reason="BACKEND"} 0
      nv_inference_request_failure{model="tensorrt_llm",version="1",reason="CANCELED"} 0
      nv_inference_request_duration_us{model="ensemble",version="1"} 45000000
      nv_inference_request_duration_us{model="tensorrt_llm",version="1"} 0
      nv_inference_queue_duration_us{model="ensemble",version="1"} 3000000
      nv_inference_queue_duration_us{model="tensorrt_llm",version="1"} 0
      nv_inference_compute_infer_duration_us{model="ensemble",version="1"} 36000000
      nv_inference_compute_infer_duration_us{model="tensorrt_llm",version="1"} 0
      nv_inference_first_response_histogram_ms_bucket{model="ensemble",version="1",le="8"} 0
      nv_inference_first_response_histogram_ms_bucket{model="ensemble",version="1",le="50"} 3
      nv_inference_first_response_histogram_ms_bucket{model="ensemble",version="1",le="100"} 6
      nv_inference_first_response_histogram_ms_bucket{model="ensemble",version="1",le="500"} 21
      nv_inference_first_response_histogram_ms_bucket{model="ensemble",version="1",le="2000"} 27
      nv_inference_first_response_histogram_ms_bucket{model="ensemble",version="1",le="5000"} 30
      nv_inference_first_response_histogram_ms_bucket{model="ensemble",version="1",le="+Inf"} 30
      nv_inference_first_response_histogram_ms_sum{model="ensemble",version="1"} 24000
      nv_inference_first_response_histogram_ms_count{model="ensemble",version="1"} 30
      nv_inference_first_response_histogram_ms_bucket{model="tensorrt_llm",version="1",le="+Inf"} 0
      nv_inference_first_response_histogram_ms_sum{model="tensorrt_llm",version="1"} 0
      nv_inference_first_response_histogram_ms_count{model="tensorrt_llm",version="1"} 0
      nv_inference_pending_request_count{model="ensemble",version="1"} 5
      nv_trt_llm_request_metrics{model="tensorrt_llm",version="1",request_type="active"} 6
      nv_trt_llm_request_metrics{model="tensorrt_llm",version="1",request_type="scheduled"} 4
      nv_trt_llm_request_metrics{model="tensorrt_llm",version="1",request_type="waiting"} 2
      nv_trt_llm_request_metrics{model="tensorrt_llm",version="1",request_type="max"} 64
      nv_trt_llm_kv_cache_block_metrics{model="tensorrt_llm",version="1",kv_cache_block_type="max"} 1000
      nv_trt_llm_kv_cache_block_metrics{model="tensorrt_llm",version="1",kv_cache_block_type="free"} 750
      nv_trt_llm_kv_cache_block_metrics{model="tensorrt_llm",version="1",kv_cache_block_type="used"} 250
      nv_trt_llm_kv_cache_block_metrics{model="tensorrt_llm",version="1",kv_cache_block_type="tokens_per"} 64
      nv_trt_llm_disaggregated_serving_metrics{model="tensorrt_llm",version="1",disaggregated_serving_type="kv_cache_transfer_ms"} 300
      nv_trt_llm_disaggregated_serving_metrics{model="tensorrt_llm",version="1",disaggregated_serving_type="request_count"} 6
      nv_llm_input_token_len_bucket{model="tensorrt_llm",version="1",response_metric_type="total_input_tokens",le="100"} 10
      nv_llm_input_token_len_bucket{model="tensorrt_llm",version="1",response_metric_type="total_input_tokens",le="500"} 30
      nv_llm_input_token_len_bucket{model="tensorrt_llm",version="1",response_metric_type="total_input_tokens",le="+Inf"} 30
      nv_llm_input_token_len_sum{model="tensorrt_llm",version="1",response_metric_type="total_input_tokens"} 6000
      nv_llm_input_token_len_count{model="tensorrt_llm",version="1",response_metric_type="total_input_tokens"} 30
      """;

  @Test
  void aDecoupledModelTakesTheCountsOfThePipelineBeforeIt() throws QueryException {
    Signals triton = page(TRITON_PAGE);
    value(triton, PIPELINE, "request_rate", 33 / 60.0);
    value(triton, PIPELINE, "completed_rate", 30 / 60.0);
    value(triton, PIPELINE, "error_share", 3 / 33.0);
    value(triton, PIPELINE, "abort_share", 2 / 33.0);
    assertThat(byLabel(triton, PIPELINE, "finish_rate", "finished_reason"))
        .containsEntry("success", 0.5)
        .containsEntry("CANCELED", 2 / 60.0);
    value(triton, PIPELINE, "e2e_mean", 1.5);
    value(triton, PIPELINE, "queue_time_mean", 0.1);
    value(triton, PIPELINE, "inference_time_mean", 1.2);
    value(triton, PIPELINE, "frontend_time_mean", 0.2);
    value(triton, "triton-trtllm/ensemble", "request_rate", 33 / 60.0);
    value(triton, "triton-trtllm/preprocessing", "request_rate", 31 / 60.0);
  }

  @Test
  void edgesInMillisecondsBecomeSeconds() throws QueryException {
    Signals triton = page(TRITON_PAGE);
    // The 15th of 30: 6 within 100 ms, 21 within 500 ms.
    quantile(triton, PIPELINE, "ttft_p50", 0.1 + 0.4 * 9 / 15, 0.1, 0.5);
    quantile(triton, PIPELINE, "ttft_p95", 2 + 3 * 1.5 / 3, 2, 5);
    quantile(triton, "triton-trtllm/ensemble", "ttft_p95", 3.5, 2, 5);
    value(triton, PIPELINE, "ttft_mean", 0.8);
    quantile(
        page(
            """
            nv_inference_request_success{model="m",version="1"} 4
            nv_inference_first_response_histogram_ms_bucket{model="m",version="1",le="2.5"} 1
            nv_inference_first_response_histogram_ms_bucket{model="m",version="1",le="12"} 3
            nv_inference_first_response_histogram_ms_bucket{model="m",version="1",le="+Inf"} 4
            """),
        "triton/m",
        "ttft_p50",
        0.0025 + 0.0095 / 2,
        0.0025,
        0.012);
  }

  @Test
  void theBatcherOfTensorRtLlm() throws QueryException {
    Signals triton = page(TRITON_PAGE);
    value(triton, PIPELINE, "running", 4);
    value(triton, PIPELINE, "waiting", 2);
    value(triton, PIPELINE, "max_running", 64);
    value(triton, PIPELINE, "system_efficiency", 4 / 6.0);
    value(triton, PIPELINE, "kv_usage", 0.25);
    value(triton, PIPELINE, "kv_usage_max", 0.25);
    value(triton, PIPELINE, "kv_capacity_tokens", 64_000);
    value(triton, PIPELINE, "kv_block_size", 64);
    value(triton, PIPELINE, "kv_transfer_time_mean", 0.05);
    value(triton, PIPELINE, "prompt_token_rate", 100);
    value(triton, PIPELINE, "prompt_length_mean", 200);
    quantile(triton, PIPELINE, "prompt_length_p50", 100 + 400 * 5 / 20.0, 100, 500);
  }

  @Test
  void vllmInTriton() throws QueryException {
    Signals triton =
        page(
            """
            nv_inference_request_success{model="opt",version="1"} 9
            nv_inference_request_failure{model="opt",version="1",reason="BACKEND"} 1
            nv_inference_pending_request_count{model="opt",version="1"} 0
            vllm:num_requests_running{model="opt",version="1"} 3
            vllm:num_requests_waiting{model="opt",version="1"} 1
            vllm:gpu_cache_usage_perc{model="opt",version="1"} 0.5
            vllm:generation_tokens_total{model="opt",version="1"} 600
            vllm:time_per_output_token_seconds_sum{model="opt",version="1"} 12
            vllm:time_per_output_token_seconds_count{model="opt",version="1"} 600
            """);
    String opt = "triton-vllm/opt";
    value(triton, opt, "request_rate", 10 / 60.0);
    value(triton, opt, "error_share", 0.1);
    value(triton, opt, "running", 3);
    value(triton, opt, "waiting", 1);
    value(triton, opt, "kv_usage", 0.5);
    value(triton, opt, "output_token_rate", 10);
    value(triton, opt, "itl_mean", 0.02);
  }

  private static final String TRTLLM_PAGE =
      """
      trtllm_request_success_total{model_name="qwen",engine_type="trtllm",finished_reason="stop"} 36
      trtllm_request_success_total{model_name="qwen",engine_type="trtllm",finished_reason="length"} 12
      trtllm_request_error_total{model_name="qwen",engine_type="trtllm",http_code="400"} 1
      trtllm_request_error_total{model_name="qwen",engine_type="trtllm",http_code="500"} 1
      trtllm_prompt_tokens_total{model_name="qwen",engine_type="trtllm"} 4800
      trtllm_generation_tokens_total{model_name="qwen",engine_type="trtllm"} 9600
      trtllm_prompt_cached_tokens_total{model_name="qwen",engine_type="trtllm"} 1200
      trtllm_kv_cache_reused_blocks_total{model_name="qwen",engine_type="trtllm"} 10
      trtllm_kv_cache_missed_blocks_total{model_name="qwen",engine_type="trtllm"} 90
      trtllm_num_requests_running{model_name="qwen",engine_type="trtllm"} 6
      trtllm_num_requests_waiting{model_name="qwen",engine_type="trtllm"} 2
      trtllm_max_num_active_requests{model_name="qwen",engine_type="trtllm"} 48
      trtllm_kv_cache_max_blocks{model_name="qwen",engine_type="trtllm"} 500
      trtllm_kv_cache_used_blocks{model_name="qwen",engine_type="trtllm"} 100
      trtllm_kv_cache_free_blocks{model_name="qwen",engine_type="trtllm"} 400
      trtllm_kv_cache_tokens_per_block{model_name="qwen",engine_type="trtllm"} 32
      trtllm_kv_cache_config_info{model_name="qwen",engine_type="trtllm",page_size="32"} 1
      trtllm_iteration_latency_seconds{model_name="qwen",engine_type="trtllm"} 0.02
      trtllm_spec_decode_num_draft_tokens_total{model_name="qwen",engine_type="trtllm"} 400
      trtllm_spec_decode_num_accepted_tokens_total{model_name="qwen",engine_type="trtllm"} 300
      trtllm_spec_decode_drafted_tokens_total{model_name="qwen",engine_type="trtllm",token_position="0"} 100
      trtllm_spec_decode_drafted_tokens_total{model_name="qwen",engine_type="trtllm",token_position="1"} 100
      trtllm_spec_decode_accepted_tokens_total{model_name="qwen",engine_type="trtllm",token_position="0"} 50
      trtllm_spec_decode_accepted_tokens_total{model_name="qwen",engine_type="trtllm",token_position="1"} 60
      """;

  @Test
  void trtllmServeWithAllItsStatistics() throws QueryException {
    Signals trtllm = page(TRTLLM_PAGE);
    value(trtllm, TRTLLM, "request_rate", 50 / 60.0);
    value(trtllm, TRTLLM, "completed_share", 48 / 50.0);
    value(trtllm, TRTLLM, "length_share", 12 / 48.0);
    value(trtllm, TRTLLM, "error_share", 2 / 50.0);
    value(trtllm, TRTLLM, "http_5xx_share", 1 / 50.0);
    value(trtllm, TRTLLM, "prompt_length_mean", 100);
    value(trtllm, TRTLLM, "output_length_mean", 200);
    value(trtllm, TRTLLM, "prefix_hit_share", 0.25);
    value(trtllm, TRTLLM, "system_efficiency", 0.75);
    value(trtllm, TRTLLM, "batch_share", 6 / 48.0);
    value(trtllm, TRTLLM, "kv_usage", 0.2);
    value(trtllm, TRTLLM, "kv_capacity_tokens", 16_000);
    value(trtllm, TRTLLM, "kv_block_size", 32);
    Signals withoutSteps = page(TRTLLM_PAGE.replaceAll("trtllm_kv_cache_tokens.*", ""));
    value(withoutSteps, TRTLLM, "kv_block_size", 32);
    value(trtllm, TRTLLM, "spec_acceptance_share", 0.75);
    assertThat(byLabel(trtllm, TRTLLM, "spec_acceptance_by_position", "position"))
        .containsEntry("0", 0.5)
        .containsEntry("1", 0.6);
  }

  @Test
  void noErrorYetIsNoneButAnOldReleaseDoesNotTell() throws QueryException {
    String success =
        "trtllm_request_success_total{model_name=\"qwen\",finished_reason=\"stop\"} 6\n";
    value(
        page(success + "trtllm_prompt_cached_tokens_total{model_name=\"qwen\"} 1\n"),
        TRTLLM,
        "error_share",
        0);
    assertThat(result(page(success), TRTLLM, "error_share").series()).isEmpty();
  }

  @Test
  void theFirstBuildsHadNoPrefix() throws QueryException {
    String labels = "{model_name=\"undefined\",engine_type=\"undefined\"";
    StringBuilder text = new StringBuilder();
    text.append("request_success_total").append(labels).append(",finished_reason=\"stop\"} 12\n");
    for (String family :
        List.of(
            "e2e_request_latency_seconds",
            "time_to_first_token_seconds",
            "time_per_output_token_seconds",
            "request_queue_time_seconds")) {
      text.append(family).append("_sum").append(labels).append("} 6\n");
      text.append(family).append("_count").append(labels).append("} 12\n");
    }
    Signals old = page(text.toString());
    value(old, "trtllm/undefined", "request_rate", 0.2);
    value(old, "trtllm/undefined", "ttft_mean", 0.5);
    String labelled = text.toString().replace("engine_type", "other");
    assertThat(page(labelled).services().services())
        .noneMatch(service -> service.engine().title().equals("TensorRT-LLM"));
  }

  @Test
  void theServerBeforePrefillAndDecode() throws QueryException {
    Signals disagg =
        page(
            """
            ctx_total_requests_total 60
            ctx_completed_requests_total 60
            gen_total_requests_total 60
            total_requests_total 60
            total_responses_total 54
            validation_exceptions_total 3
            http_exceptions_total 2
            internal_errors_total 1
            ctx_complete_latency_seconds_sum 30
            ctx_complete_latency_seconds_count 60
            gen_first_token_latency_seconds_sum 6
            gen_first_token_latency_seconds_count 60
            gen_complete_latency_seconds_sum 120
            gen_complete_latency_seconds_count 60
            queue_latency_seconds_sum 3
            queue_latency_seconds_count 60
            """);
    String server = "trtllm-disagg/page:1";
    value(disagg, server, "request_start_rate", 1);
    value(disagg, server, "request_rate", 0.9);
    value(disagg, server, "error_share", 0.1);
    value(disagg, server, "http_5xx_share", 1 / 60.0);
    // A call to a prefill server takes 0.5 s, the first output of a decode server 0.1 s more.
    value(disagg, server, "prefill_time_mean", 0.5);
    value(disagg, server, "ttft_mean", 0.6);
    value(disagg, server, "decode_time_mean", 2);
    value(disagg, server, "e2e_mean", 2.5);
    value(disagg, server, "queue_time_mean", 0.05);
  }

  private static final String FRONT_END =
      """
      dynamo_frontend_requests_total{model="llama",status="success",error_type=""} 54
      dynamo_frontend_requests_total{model="llama",status="error",error_type="cancelled"} 6
      dynamo_frontend_requests_started_total{model="llama"} 66
      dynamo_frontend_inflight_requests{model="llama"} 7
      dynamo_frontend_time_to_first_token_seconds_sum{model="llama"} 30
      dynamo_frontend_time_to_first_token_seconds_count{model="llama"} 60
      dynamo_frontend_request_duration_seconds_bucket{model="llama",le="0"} 0
      dynamo_frontend_request_duration_seconds_bucket{model="llama",le="2"} 45
      dynamo_frontend_request_duration_seconds_bucket{model="llama",le="+Inf"} 60
      dynamo_frontend_request_duration_seconds_count{model="llama"} 60
      dynamo_frontend_input_sequence_tokens_sum{model="llama"} 6000
      dynamo_frontend_cached_tokens_sum{model="llama"} 1500
      dynamo_frontend_model_kv_cache_block_size{model="llama"} 16
      """;
  private static final String WORKER =
      """
      dynamo_component_requests_total{model="llama",dynamo_endpoint="generate"} 30
      dynamo_component_requests_total{model="llama",dynamo_endpoint="clear_kv_blocks"} 5
      dynamo_component_inflight_requests{model="llama",dynamo_endpoint="generate"} 3
      dynamo_component_time_to_first_response_seconds_sum{model="llama",dynamo_endpoint="generate"} 3
      dynamo_component_time_to_first_response_seconds_count{model="llama",dynamo_endpoint="generate"} 30
      dynamo_component_request_duration_seconds_sum{model="llama",dynamo_endpoint="generate"} 60
      dynamo_component_request_duration_seconds_count{model="llama",dynamo_endpoint="generate"} 30
      dynamo_component_total_blocks{model="llama"} 1000
      dynamo_component_gpu_cache_usage_percent{model="llama"} 0.4
      dynamo_component_uptime_seconds{model="llama"} 100
      """;
  private static final String ENGINE =
      """
      vllm:num_requests_running{model_name="llama",engine="0"} 2
      vllm:num_requests_waiting{model_name="llama",engine="0"} 1
      """;

  @Test
  void theFrontEndGoesBeforeItsWorkers() throws QueryException {
    Signals dynamo =
        signals(
            new TestWorld()
                .add(Dump.of("front end", FRONT_END), "front", "front:8000")
                .add(Dump.of("worker", WORKER), "worker", "a:8081")
                .add(Dump.of("worker", WORKER), "worker", "b:8081"));
    value(dynamo, DYNAMO, "request_rate", 1);
    value(dynamo, DYNAMO, "request_start_rate", 1.1);
    value(dynamo, DYNAMO, "error_share", 0.1);
    value(dynamo, DYNAMO, "abort_share", 0.1);
    value(dynamo, DYNAMO, "ttft_mean", 0.5);
    value(dynamo, DYNAMO, "inference_time_mean", 2);
    value(dynamo, DYNAMO, "running", 7);
    value(dynamo, DYNAMO, "kv_usage", 0.4);
    value(dynamo, DYNAMO, "kv_capacity_tokens", 32_000);
    value(dynamo, DYNAMO, "cached_prompt_share", 0.25);
  }

  @Test
  void aWorkerAloneSpeaksForItself() throws QueryException {
    Signals dynamo = page(WORKER + ENGINE);
    value(dynamo, DYNAMO, "request_rate", 0.5);
    value(dynamo, DYNAMO, "ttft_mean", 0.1);
    value(dynamo, DYNAMO, "running", 2);
    value(dynamo, DYNAMO, "waiting", 1);
    value(dynamo, DYNAMO, "system_efficiency", 2 / 3.0);
  }

  @Test
  void theNamesOfNim() throws QueryException {
    Signals nim =
        page(
            """
            nv_llm_http_service_requests_total{model="llama",status="success"} 57
            nv_llm_http_service_requests_total{model="llama",status="error"} 3
            nv_llm_http_service_inflight_requests{model="llama"} 4
            nv_llm_http_service_output_sequence_tokens_sum{model="llama"} 1200
            nv_llm_http_service_inter_token_latency_seconds_sum{model="llama"} 24
            nv_llm_http_service_inter_token_latency_seconds_count{model="llama"} 1200
            """);
    value(nim, DYNAMO, "request_rate", 1);
    value(nim, DYNAMO, "error_share", 0.05);
    value(nim, DYNAMO, "running", 4);
    value(nim, DYNAMO, "output_token_rate", 20);
    value(nim, DYNAMO, "itl_mean", 0.02);
  }

  @Test
  void tokenTypesOverlap() throws QueryException {
    Signals gateway =
        page(
            """
            gen_ai_server_request_duration_seconds_count{gen_ai_request_model="m"} 57
            gen_ai_server_request_duration_seconds_sum{gen_ai_request_model="m"} 120
            gen_ai_server_request_duration_seconds_count{gen_ai_request_model="m",error_type="_OTHER"} 3
            gen_ai_server_request_duration_seconds_sum{gen_ai_request_model="m",error_type="_OTHER"} 0
            gen_ai_client_token_usage_sum{gen_ai_request_model="m",gen_ai_token_type="input"} 6000
            gen_ai_client_token_usage_count{gen_ai_request_model="m",gen_ai_token_type="input"} 60
            gen_ai_client_token_usage_sum{gen_ai_request_model="m",gen_ai_token_type="cached_input"} 1500
            gen_ai_client_token_usage_count{gen_ai_request_model="m",gen_ai_token_type="cached_input"} 60
            gen_ai_client_token_usage_sum{gen_ai_request_model="m",gen_ai_token_type="output"} 3000
            gen_ai_client_token_usage_count{gen_ai_request_model="m",gen_ai_token_type="output"} 60
            """);
    String server = "gen-ai/page:1";
    value(gateway, server, "request_rate", 1);
    value(gateway, server, "completed_rate", 57 / 60.0);
    value(gateway, server, "error_share", 0.05);
    value(gateway, server, "e2e_mean", 2);
    value(gateway, server, "prompt_token_rate", 100);
    value(gateway, server, "prompt_length_mean", 100);
    value(gateway, server, "output_length_mean", 50);
    value(gateway, server, "cached_prompt_share", 0.25);
  }

  private static Dump real(String name) {
    return Dump.read(Shared.path("fixtures/metrics/" + name + ".prom"));
  }

  private static Signals page(String text) {
    return signals(new TestWorld().add(Dump.of("page", text), "page", "page:1"));
  }

  private static Signals signals(TestWorld world) {
    return new Signals(
        CATALOGUE, Backend.queries(world), () -> TestWorld.NOW_MS, () -> 0, Goals.NONE, Facts.NONE);
  }

  private static void quantile(
      Signals of, String service, String signal, double value, double low, double high)
      throws QueryException {
    SignalSeries series = only(of, service, signal);
    assertThat(series.values()[0]).as(signal).isCloseTo(value, within(1e-9 * high));
    assertThat(series.low()).as(signal).containsExactly(low);
    assertThat(series.high()).as(signal).containsExactly(high);
  }

  private static void value(Signals of, String service, String signal, double expected)
      throws QueryException {
    assertThat(only(of, service, signal).values()[0])
        .as(signal)
        .isCloseTo(expected, within(Math.max(1e-12, Math.abs(expected) * 1e-9)));
  }

  private static SignalSeries only(Signals of, String service, String signal)
      throws QueryException {
    SignalResult result = result(of, service, signal);
    assertThat(result.series()).as(result.toString()).hasSize(1);
    return result.series().getFirst();
  }

  private static Map<String, Double> byLabel(
      Signals of, String service, String signal, String label) throws QueryException {
    Map<String, Double> values = new TreeMap<>();
    for (SignalSeries series : result(of, service, signal).series()) {
      values.put(series.labels().get(label), series.values()[0]);
    }
    return values;
  }

  private static SignalResult result(Signals of, String service, String signal)
      throws QueryException {
    return of.query(
            SignalBatch.at(
                TestWorld.NOW_MS,
                List.of(new SignalBatch.Request(service, List.of(signal), List.of()))))
        .results()
        .getFirst();
  }
}
