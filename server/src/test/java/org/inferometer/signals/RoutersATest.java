package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

/** Values of routers worked out by hand from what their pages say. */
class RoutersATest {
  private static final String STACK =
      """
      vllm:num_requests_running{server="http://a:8000"} 6
      vllm:num_requests_running{server="http://b:8000"} 2
      vllm:avg_latency{server="http://a:8000"} 3
      vllm:avg_latency{server="http://b:8000"} -1
      vllm:avg_itl{server="http://a:8000"} -1
      vllm:current_qps{server="http://a:8000"} 2
      vllm:current_qps{server="http://b:8000"} -1
      vllm:gpu_prefix_cache_hits_total{server="http://a:8000"} 0
      vllm:gpu_prefix_cache_queries_total{server="http://a:8000"} 0
      vllm:num_incoming_requests_total{model="m"} 60
      router_cpu_usage_percent 35
      """;

  private static final String SMG =
      """
      smg_router_requests_total{model="m",connection_mode="grpc"} 30
      smg_router_requests_total{model="n",connection_mode="http"} 10
      smg_router_request_errors_total{model="m",error_type="timeout"} 4
      smg_router_ttft_seconds{model="m",quantile="0.5"} 7
      smg_router_ttft_seconds_sum{model="m"} 12
      smg_router_ttft_seconds_count{model="m"} 30
      smg_router_tokens_total{model="m",token_type="input"} 900
      smg_router_tokens_total{model="m",token_type="output"} 300
      smg_worker_requests_active{worker="http://a"} 9
      smg_worker_requests_active{worker="http://b"} 3
      smg_http_responses_total{status_code="200"} 38
      smg_http_responses_total{status_code="503"} 2
      smg_worker_health{worker="http://c"} 0
      """;

  /** Old and new names side by side. */
  private static final String EPP =
      """
      llm_d_epp_request_total{model_name="m",priority="0"} 30
      inference_objective_request_total{model_name="m",priority="0"} 30
      llm_d_epp_request_error_total{model_name="m",error_code="x"} 3
      llm_d_epp_request_ttft_seconds_sum{model_name="m",streaming="true"} 10
      llm_d_epp_request_ttft_seconds_count{model_name="m",streaming="true"} 20
      llm_d_epp_request_ttft_seconds_sum{model_name="m",streaming="false"} 90
      llm_d_epp_request_ttft_seconds_count{model_name="m",streaming="false"} 10
      llm_d_epp_average_queue_size{name="p"} 2.5
      llm_d_epp_ready_endpoints{name="p"} 4
      llm_d_epp_flow_control_pool_saturation{inference_pool="p"} 1
      llm_d_epp_request_cached_tokens_sum{model_name="m"} 100
      llm_d_epp_request_input_tokens_sum{model_name="m"} 400
      llm_d_epp_request_input_tokens_bucket{model_name="m",le="32778.0"} 1
      llm_d_epp_info{build_ref="v0.9.1"} 1
      """;

  @Test
  void productionStack_minusOneIsNoData() throws QueryException {
    OnePage page = OnePage.of(STACK, "production-stack-router/page:1");
    assertThat(page.service().kind()).isEqualTo(ServiceKind.ROUTER);
    page.has("e2e_mean", 3);
    page.has("request_rate", 2);
    page.has("request_start_rate", 1);
    page.has("running", 8);
    page.has("load_imbalance_running", 6 / 4.0);
    assertThat(page.reason("itl_mean")).contains("no data");
    assertThat(page.reason("prefix_hit_share")).contains("The copies are 0");
    assertThat(page.reason("waiting")).contains("never sets");
    assertThat(page.traps())
        .containsExactlyInAnyOrder(
            "minus-one",
            "engine-names",
            "waiting-never-set",
            "copies-are-zero",
            "percent-of-the-host");
  }

  @Test
  void smg_meansOfSummaries() throws QueryException {
    OnePage page = OnePage.of(SMG, "smg/page:1");
    page.has("request_start_rate", 40 / 60.0);
    page.has("completed_rate", 36 / 60.0);
    page.has("error_share", 0.1);
    page.has("http_5xx_share", 0.05);
    page.has("ttft_mean", 0.4);
    page.has("output_token_rate", 5);
    page.has("running", 12);
    page.has("load_imbalance_running", 9 / 6.0);
    assertThat(page.reason("ttft_p95")).contains("summary");
    assertThat(page.traps()).containsExactlyInAnyOrder("quantiles-of-one-process", "worker-down");
    assertThat(page.facets()).containsEntry("connection", "gRPC").containsEntry("names", "of SMG");
  }

  @Test
  void olderRouters_oneRouterInItsAges() throws QueryException {
    String page = "X_requests_total{route=\"/v1\"} 30\nX_request_errors_total{route=\"/v1\"} 3\n";
    for (String age : List.of("sgl_router", "vllm_router")) {
      String id = age.equals("sgl_router") ? "smg" : "vllm-router";
      OnePage router = OnePage.of(page.replace("X", age), id + "/page:1");
      router.has("request_start_rate", 0.5);
      router.has("error_share", 0.1);
    }
  }

  @Test
  void epp_newAndOldNamesAreOneFact() throws QueryException {
    OnePage page = OnePage.of(EPP, "llm-d-router/page:1");
    page.has("request_start_rate", 0.5);
    page.has("error_share", 0.1);
    page.has("ttft_mean", 0.5);
    page.has("waiting", 10);
    page.has("cached_prompt_share", 0.25);
    assertThat(page.traps())
        .containsExactlyInAnyOrder(
            "two-names-for-one", "ttft-is-total", "saturated-or-stale", "edge-32778");
    assertThat(page.service().version()).isNotNull();
  }

  @Test
  void epp_pagesOfBothAgesSayTheSame() throws QueryException {
    for (String age : List.of("gaie-names_", "llm_d-names_llm_d_")) {
      OnePage e2e =
          OnePage.named("llm-d-router_epp-" + age + "request_duration", "llm-d-router/page:1");
      // Four requests took 1.79 s together; P95 is the 3.8th, 3 took up to 1.5 s and 4 up to 2 s.
      e2e.has("e2e_mean", (1.61 + 0.06 + 0.12) / 4);
      e2e.between("e2e_p95", 1.5 + 0.5 * 0.8, 1.5, 2);
      OnePage.named("llm-d-router_epp-" + age + "running_requests_metrics", "llm-d-router/page:1")
          .has("running", 2);
      OnePage.named("llm-d-router_epp-" + age + "kv_cache_avg", "llm-d-router/page:1")
          .has("kv_usage", 0.3);
      OnePage.named("llm-d-router_epp-" + age + "scheduler_attempts", "llm-d-router/page:1")
          .has("load_imbalance_requests", 2 / 1.5);
    }
  }
}
