package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

/** The traps and facets of Triton, TensorRT-LLM, Dynamo and gateways, on pages with and without. */
class EnginesBTrapTest {
  private static final Catalogue CATALOGUE = Catalogue.builtIn();
  private static final List<Dump> DUMPS = Dump.all();
  private static final List<String> DIALECTS =
      List.of(
          "triton",
          "triton-trtllm",
          "triton-vllm",
          "trtllm",
          "trtllm-disagg",
          "dynamo",
          "litellm",
          "gen-ai");

  @Test
  void whatTheRealPagesFallFor() throws QueryException {
    assertThat(traps("triton", "triton_server_2.3x"))
        .containsExactly("triton-response-cache", "triton-summaries", "triton-summary-of-nothing");
    assertThat(traps("triton-trtllm", "triton-trtllm_23.11-inflight"))
        .containsExactly("trtllm-timestamp");
    assertThat(traps("triton-trtllm", "triton-trtllm_23.11-v1")).isEmpty();
    assertThat(traps("trtllm", "trtllm_1.1.0rc5")).isEmpty();
    assertThat(traps("dynamo", "dynamo_2026"))
        .containsExactly("dynamo-model-case", "dynamo-queued");
    assertThat(traps("litellm", "litellm_v1.95")).isEmpty();
  }

  @Test
  void whatTheRealPagesRunAs() throws QueryException {
    assertThat(facets("triton", "triton_server_2.3x"))
        .containsEntry("latencies", "latencies as summaries")
        .containsEntry("response cache", "response cache on")
        .doesNotContainKey("pipeline");
    assertThat(facets("triton-trtllm", "triton-trtllm_23.11-v1"))
        .containsEntry("batching", "without in-flight batching");
    assertThat(facets("triton-trtllm", "triton-trtllm_23.11-inflight"))
        .containsEntry("batching", "in-flight batching")
        .containsEntry("latencies", "latencies as sums only");
    assertThat(facets("trtllm", "trtllm_1.1.0rc5"))
        .containsEntry("step statistics", "without step statistics");
    assertThat(facets("dynamo", "dynamo_2026")).containsEntry("role", "front end");
    assertThat(facets("litellm", "litellm_v1.95")).containsEntry("processes", "single process");
  }

  @Test
  void countersThatAreSwitchedOff() throws QueryException {
    String page = "nv_inference_request_success{model=\"m\"} 0\n";
    assertThat(trapsOf("triton", page)).isEmpty();
    assertThat(trapsOf("triton", page + "nv_inference_request_summary_us_count{model=\"m\"} 4\n"))
        .containsExactly("triton-counters-off");
  }

  @Test
  void aDecoupledModelCountsNothing() throws QueryException {
    assertThat(
            trapsOf(
                "triton-trtllm",
                """
                nv_inference_request_success{model="tensorrt_llm"} 0
                nv_inference_request_success{model="ensemble"} 3
                nv_trt_llm_request_metrics{model="tensorrt_llm",request_type="max"} 3
                """))
        .containsExactly("triton-ensemble", "triton-trtllm-decoupled");
  }

  @Test
  void backendsThatKeepQuiet() throws QueryException {
    assertThat(trapsOf("triton", "nv_inference_request_success{model=\"tensorrt_llm\"} 3\n"))
        .containsExactly("triton-trtllm-python");
    assertThat(trapsOf("triton", "nv_inference_request_success{model=\"vllm_model\"} 3\n"))
        .containsExactly("triton-vllm-silent");
  }

  @Test
  void blocksUnderTheWrongLabels() throws QueryException {
    String page =
        """
        nv_trt_llm_kv_cache_block_metrics{model="m",kv_cache_block_type="max"} 64
        nv_trt_llm_kv_cache_block_metrics{model="m",kv_cache_block_type="free"} 1000
        nv_trt_llm_kv_cache_block_metrics{model="m",kv_cache_block_type="used"} 900
        """;
    assertThat(trapsOf("triton-trtllm", page)).containsExactly("trtllm-blocks-shifted");
    assertThat(trapsOf("triton-trtllm", page.replace("} 64", "} 1900"))).isEmpty();
  }

  @Test
  void gaugesThatKeepTheLastStep() throws QueryException {
    String page =
        """
        trtllm_num_requests_running{model_name="m"} 3
        trtllm_iteration_latency_seconds{model_name="m"} 0.02
        """;
    assertThat(trapsOf("trtllm", page)).containsExactly("trtllm-frozen-gauges");
    assertThat(trapsOf("trtllm", page.replace("} 3", "} 0"))).isEmpty();
  }

  @Test
  void labelsThatSayUndefined() throws QueryException {
    assertThat(
            trapsOf(
                "trtllm",
                """
                trtllm_request_success_total{model_name="undefined",engine_type="undefined"} 3
                trtllm_num_requests_running{model_name="undefined"} 0
                """))
        .containsExactly("trtllm-undefined-labels");
  }

  @Test
  void dynamosDurationsBelowTheirFirstEdge() throws QueryException {
    String page =
        """
        dynamo_frontend_request_duration_seconds_bucket{model="m",le="2.0"} 9
        dynamo_frontend_request_duration_seconds_bucket{model="m",le="+Inf"} 10
        dynamo_frontend_request_duration_seconds_count{model="m"} 10
        """;
    assertThat(trapsOf("dynamo", page)).containsExactly("dynamo-duration-bucket");
    assertThat(trapsOf("dynamo", page.replace("} 9", "} 2"))).isEmpty();
  }

  @Test
  void dynamoShowsNothingWhileItServes() throws QueryException {
    String page =
        """
        dynamo_component_gpu_cache_usage_percent{model="m"} 0
        dynamo_component_requests_total{model="m",dynamo_endpoint="generate"} 10
        dynamo_component_inflight_requests{model="m",dynamo_endpoint="generate"} 2
        sglang:num_running_reqs{model="m"} 2
        """;
    assertThat(trapsOf("dynamo", page)).containsExactly("dynamo-zero-load");
    assertThat(trapsOf("dynamo", page.replace("\"m\"} 0", "\"m\"} 0.3"))).isEmpty();
    assertThat(trapsOf("dynamo", page.replace("\"m\"} 0", "\"m\"} 30")))
        .containsExactly("dynamo-percent");
    assertThat(trapsOf("dynamo", page.replaceAll("sglang.*|.*percent.*", "")))
        .containsExactly("dynamo-engine-missing");
  }

  @Test
  void severalWorkersOfTheProxyBehindOnePort() throws QueryException {
    // The start of the process: that of one worker, of the other, and so on.
    double[] starts = {1000, 900, 1000, 900, 1000};
    Labels labels =
        Labels.of(Labels.NAME, "process_start_time_seconds", "job", "page", "instance", "page:1");
    TestWorld world = new TestWorld();
    for (int i = 0; i < starts.length; i++) {
      long timeMs = TestWorld.NOW_MS - (starts.length - 1 - i) * TestWorld.INTERVAL_MS;
      world.series.add(labels, timeMs, starts[i]);
    }
    assertThat(traps("litellm", world)).containsExactly("litellm-several-workers");
  }

  @Test
  void tokenTypesThatOverlap() throws QueryException {
    assertThat(
            trapsOf(
                "gen-ai",
                "gen_ai_client_token_usage_count{gen_ai_token_type=\"cached_input\"} 3\n"))
        .containsExactly("gen-ai-token-types");
  }

  @Test
  void everyTrapAndFacetCanBeAsked() throws QueryException {
    TestWorld nothing = new TestWorld();
    for (String dialect : DIALECTS) {
      assertThat(traps(dialect, nothing)).isEmpty();
      assertThat(facets(dialect, nothing)).isEmpty();
    }
  }

  private static Set<String> traps(String dialect, String dump) throws QueryException {
    return traps(dialect, new TestWorld().add(real(dump), "page", "page:1"));
  }

  private static Dump real(String start) {
    return DUMPS.stream().filter(dump -> dump.name().startsWith(start)).findFirst().orElseThrow();
  }

  private static Set<String> trapsOf(String dialect, String page) throws QueryException {
    return traps(dialect, new TestWorld().add(Dump.of("page", page), "page", "page:1"));
  }

  private static Map<String, String> facets(String dialect, String dump) throws QueryException {
    return facets(dialect, new TestWorld().add(real(dump), "page", "page:1"));
  }

  private static Set<String> traps(String dialect, TestWorld world) throws QueryException {
    Set<String> found = new TreeSet<>();
    for (Trap trap : profile(dialect).traps()) {
      if (holds(trap.query(), world)) {
        found.add(trap.id());
      }
    }
    return found;
  }

  private static Map<String, String> facets(String dialect, TestWorld world) throws QueryException {
    Map<String, String> found = new TreeMap<>();
    for (Facet facet : profile(dialect).facets()) {
      if (holds(facet.query(), world)) {
        found.putIfAbsent(facet.name(), facet.value());
      }
    }
    return found;
  }

  private static DialectProfile profile(String dialect) {
    DialectProfile profile = CATALOGUE.profile(dialect);
    assertThat(profile).as(dialect).isNotNull();
    return profile;
  }

  private static boolean holds(Template query, TestWorld world) throws QueryException {
    List<Matcher> targets = List.of(Matcher.equal("job", "page"));
    String text = query.render(new Template.Values(targets, targets, List.of(), 60_000));
    ColumnQueries.Outcome outcome =
        new ColumnQueries(Backend.queries(world))
            .run(Set.of(text), SignalBatch.at(TestWorld.NOW_MS, List.of()))
            .get(text);
    return switch (outcome) {
      case ColumnQueries.Outcome.Columns columns -> !columns.series().isEmpty();
      case ColumnQueries.Outcome.Failed failed -> throw new AssertionError(failed.message());
      case null -> throw new AssertionError("not asked: " + text);
    };
  }
}
