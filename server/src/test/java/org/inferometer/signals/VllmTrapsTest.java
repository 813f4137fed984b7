package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryValue;
import org.junit.jupiter.api.Test;

/** Traps and facets of vLLM's pages, Ray's among them, and those of any page. */
class VllmTrapsTest {
  private static final Catalogue CATALOGUE = Catalogue.builtIn();
  private static final String INSTANCE = "a:1";

  /** A current server with one API process, at work; nothing is wrong with it. */
  private static final String CLEAN =
      """
      python_info{implementation="CPython"} 1
      process_start_time_seconds 1.78e9
      http_requests_total{handler="/v1/completions",method="POST",status="2xx"} 90
      vllm:cache_config_info{engine="0",enable_prefix_caching="True"} 1
      vllm:engine_sleep_state{model_name="m",engine="0",sleep_state="awake"} 1
      vllm:num_requests_running{model_name="m",engine="0"} 3
      vllm:num_requests_waiting{model_name="m",engine="0"} 2
      vllm:kv_cache_usage_perc{model_name="m",engine="0"} 0.4
      vllm:num_preemptions_total{model_name="m",engine="0"} 7
      vllm:prompt_tokens_total{model_name="m",engine="0"} 900
      vllm:generation_tokens_total{model_name="m",engine="0"} 1800
      vllm:prefix_cache_queries_total{model_name="m",engine="0"} 900
      vllm:prefix_cache_hits_total{model_name="m",engine="0"} 300
      vllm:request_success_total{model_name="m",engine="0",finished_reason="stop"} 80
      vllm:request_success_total{model_name="m",engine="0",finished_reason="abort"} 1
      vllm:request_num_preemptions_count{model_name="m",engine="0"} 80
      vllm:request_time_per_output_token_seconds_count{model_name="m",engine="0"} 80
      vllm:inter_token_latency_seconds_count{model_name="m",engine="0"} 1700
      vllm:time_to_first_token_seconds_bucket{model_name="m",engine="0",le="0.001"} 1
      vllm:time_to_first_token_seconds_bucket{model_name="m",engine="0",le="+Inf"} 80
      vllm:lora_requests_info{max_lora="2",running_lora_adapters="a",waiting_lora_adapters=""} 1.79e9
      """;

  @Test
  void aPageWithoutFaultsHasNoTraps() throws QueryException {
    assertThat(traps("vllm", CLEAN)).isEmpty();
  }

  @Test
  void gaugesSplitByProcess() throws QueryException {
    String split =
        CLEAN
            + """
            vllm:kv_cache_usage_perc{model_name="m",engine="0",pid="7"} 0.4
            vllm:kv_cache_usage_perc{model_name="m",engine="0",pid="8"} 0
            vllm:kv_offload_cpu_cache_usage_perc{model_name="m",engine="0",pid="7"} 0.4
            vllm:kv_offload_cpu_cache_usage_perc{model_name="m",engine="0",pid="8"} 0
            """;
    assertThat(traps("vllm", split))
        .containsExactly("gauge-for-each-process 2", "pid-split-gauges 2");
  }

  @Test
  void everyFirstTokenInTheLowestBucket() throws QueryException {
    String broken = CLEAN.replace("le=\"0.001\"} 1\n", "le=\"0.001\"} 80\n");
    assertThat(traps("vllm", broken)).containsExactly("first-token-in-no-time 1");
    String few = CLEAN.replaceAll("(first_token_seconds_bucket.*le=\".*\"}) [0-9]+", "$1 3");
    assertThat(traps("vllm", few)).isEmpty();
  }

  @Test
  void preemptedRequestsHitTheirOwnBlocks() throws QueryException {
    String old =
        without(CLEAN, "request_time_per_output", "request_num_preemptions", "engine_sleep_state");
    assertThat(traps("vllm", old)).containsExactly("prefix-hits-inflated 7");
    assertThat(traps("vllm", old.replace("engine=\"0\"} 7", "engine=\"0\"} 0"))).isEmpty();
  }

  @Test
  void workThatWaitsWhileNoTokenComesOut() throws QueryException {
    String stuck = CLEAN.replaceAll("(tokens_total.*}) [0-9]+", "$1 0");
    assertThat(traps("vllm", stuck)).containsExactly("stalled 2");
    assertThat(traps("vllm", stuck.replaceAll("(num_requests_waiting.*}) 2", "$1 0"))).isEmpty();
  }

  @Test
  void abortsThatNobodyCounts() throws QueryException {
    String uncounted = CLEAN.replace("\"abort\"} 1", "\"abort\"} 0");
    assertThat(traps("vllm", uncounted)).containsExactly("aborts-not-counted 0");
    assertThat(traps("vllm", without(uncounted, "cache_config", "sleep_state", "python_info")))
        .isEmpty();
  }

  @Test
  void adaptersOfThePast() throws QueryException {
    String more =
        CLEAN
            + "vllm:lora_requests_info{max_lora=\"2\",running_lora_adapters=\"\","
            + "waiting_lora_adapters=\"\"} 1.78e9\n";
    assertThat(traps("vllm", more)).containsExactly("lora-series-stale 2");
  }

  @Test
  void outputsOfSeveralTokens() throws QueryException {
    String drafted =
        CLEAN
            + """
            vllm:spec_decode_num_drafts_total{model_name="m",engine="0"} 100
            vllm:spec_decode_num_accepted_tokens_total{model_name="m",engine="0"} 150
            """;
    assertThat(traps("vllm", drafted)).containsExactly("gap-of-several-tokens 1.5");
  }

  @Test
  void badRequestsThatCountAsServerErrors() throws QueryException {
    String errors = "http_requests_total{handler=\"none\",method=\"GET\",status=\"5xx\"} 4\n";
    assertThat(traps("vllm", CLEAN + errors)).isEmpty();
    assertThat(traps("vllm", without(CLEAN, "request_num_preemptions") + errors))
        .containsExactly("bad-requests-as-5xx 4");
  }

  @Test
  void severalProcessesBehindOnePort() throws QueryException {
    TestWorld world = new TestWorld();
    world.add(Dump.of("page", ""), "j", INSTANCE);
    Labels target = Labels.of("job", "j", "instance", INSTANCE);
    for (int i = 0; i < 5; i++) {
      long timeMs = TestWorld.NOW_MS - (4 - i) * TestWorld.INTERVAL_MS;
      world.series.add(
          target.with(Labels.NAME, "process_start_time_seconds"), timeMs, 1.7e9 + i % 2);
      world.series.add(
          target.with(Labels.NAME, "vllm:prompt_tokens_total"), timeMs, 1000 + 100 * (i % 2) + i);
    }
    assertThat(found(world, "vllm"))
        .containsExactly("several-processes 2", "unaggregated-processes 2");
  }

  @Test
  void statisticsSwitchedOff() throws QueryException {
    String nothing =
        """
        python_info{implementation="CPython"} 1
        process_start_time_seconds 1.78e9
        http_requests_total{handler="/v1/completions",method="POST",status="2xx"} 90
        http_request_duration_highr_seconds_count 90
        """;
    assertThat(traps(null, nothing)).containsExactly("stats-disabled 2");
    assertThat(traps(null, nothing + "other 1\n")).isEmpty();
  }

  @Test
  void anEmptyPage() throws QueryException {
    assertThat(traps(null, "scrape_samples_scraped 0\n")).containsExactly("empty-page 0");
    assertThat(traps(null, "scrape_samples_scraped 9\n")).isEmpty();
  }

  @Test
  void namesAndLabelsThatWereChanged() throws QueryException {
    assertThat(traps(null, "x{instance=\"b\"} 1\n")).containsExactly("labels-renamed 1");
    assertThat(traps(null, "x_created 1.78e9\nkube_pod_created 1.78e9\n"))
        .containsExactly("created-series 1");
    assertThat(traps("vllm-renamed", "vllm_num_requests_running{model_name=\"m\"} 1\n"))
        .containsExactly("names-without-colon 1");
  }

  @Test
  void underRay() throws QueryException {
    String page =
        """
        ray_vllm_num_requests_running{model_name="m",WorkerId="w",ReplicaId="r"} 1
        ray_vllm_generation_tokens_total{model_name="m",WorkerId="w",ReplicaId="r"} 10
        """;
    assertThat(traps("ray-vllm", page)).isEmpty();
    assertThat(traps("ray-vllm", page.replace("_vllm_", "_vllm:"))).containsExactly("old-names 2");
    assertThat(traps("ray-vllm", without(page, "generation")))
        .containsExactly("counters-not-there-yet 1");
    assertThat(traps("ray-vllm", page.replace(",WorkerId=\"w\",ReplicaId=\"r\"", "")))
        .containsExactly("replicas-merged 1");
  }

  @Test
  void theOldestDumps() throws QueryException {
    assertThat(traps("vllm", Dump.named("vllm_v0.5.1")))
        .containsExactly("first-token-in-no-time 1");
    assertThat(traps("vllm", Dump.named("vllm_v0.7-v0.8"))).isEmpty();
    assertThat(traps("vllm", Dump.named("vllm_v0.9.x"))).isEmpty();
    assertThat(traps("vllm", Dump.named("vllm_v0.10.0"))).containsExactly("created-series 4");
    assertThat(traps("nim", Dump.named("nvidia-nim"))).containsExactly("no-prefix 1");
  }

  @Test
  void facets() throws QueryException {
    assertThat(facets("vllm", Dump.of("page", CLEAN)))
        .isEqualTo(
            Map.of(
                "frontend",
                "Python",
                "engine",
                "V1 engine",
                "prefix cache",
                "prefix cache on",
                "LoRA",
                "LoRA"));
    String several = without(CLEAN, "python_info", "process_start", "lora");
    String second = "vllm:num_requests_running{model_name=\"m\",engine=\"1\"} 3\n";
    assertThat(facets("vllm", Dump.of("page", several + second)))
        .containsEntry("processes", "several API servers")
        .containsEntry("parallel", "data parallel");
    String rust =
        without(several, "cache_config", "sleep_state")
            + "vllm:num_requests_waiting_by_reason{model_name=\"m\",reason=\"capacity\"} 0\n";
    assertThat(facets("vllm", Dump.of("page", rust)))
        .isEqualTo(Map.of("frontend", "Rust", "engine", "V1 engine"));
    assertThat(facets("vllm", Dump.named("vllm_v0.9.x")))
        .isEqualTo(Map.of("frontend", "Python", "engine", "V0 engine", "LoRA", "LoRA"));
  }

  @Test
  void everyTrapIsTriedHere() {
    List<String> known = new ArrayList<>();
    CATALOGUE.traps().forEach(trap -> known.add(trap.id()));
    for (String dialect : List.of("vllm", "vllm-renamed", "ray-vllm", "nim")) {
      profile(dialect).traps().forEach(trap -> known.add(trap.id()));
    }
    assertThat(known).doesNotHaveDuplicates().hasSize(6 + 9 + 1 + 3 + 1);
  }

  private static String without(String page, String... parts) {
    return page.lines()
            .filter(line -> Stream.of(parts).noneMatch(line::contains))
            .collect(java.util.stream.Collectors.joining("\n"))
        + "\n";
  }

  private static List<String> traps(@org.jspecify.annotations.Nullable String dialect, String page)
      throws QueryException {
    return traps(dialect, Dump.of("page", page));
  }

  private static List<String> traps(@org.jspecify.annotations.Nullable String dialect, Dump page)
      throws QueryException {
    return found(new TestWorld().add(page, "j", INSTANCE), dialect);
  }

  /** The ids of traps with the value of the first series, sorted. */
  private static List<String> found(
      TestWorld world, @org.jspecify.annotations.Nullable String dialect) throws QueryException {
    QueryService queries = Backend.queries(world);
    List<Trap> all = new ArrayList<>(CATALOGUE.traps());
    if (dialect != null) {
      all.addAll(profile(dialect).traps());
    }
    TreeSet<String> found = new TreeSet<>();
    for (Trap trap : all) {
      List<QueryValue.Element> elements = ask(queries, trap.query());
      if (!elements.isEmpty()) {
        found.add(trap.id() + " " + Phrases.number(elements.getFirst().value()));
      }
    }
    return List.copyOf(found);
  }

  private static Map<String, String> facets(String dialect, Dump page) throws QueryException {
    QueryService queries = Backend.queries(new TestWorld().add(page, "j", INSTANCE));
    Map<String, String> found = new java.util.TreeMap<>();
    for (Facet facet : profile(dialect).facets()) {
      if (!ask(queries, facet.query()).isEmpty()) {
        found.putIfAbsent(facet.name(), facet.value());
      }
    }
    return found;
  }

  private static DialectProfile profile(String dialect) {
    return java.util.Objects.requireNonNull(CATALOGUE.profile(dialect));
  }

  private static List<QueryValue.Element> ask(QueryService queries, Template template)
      throws QueryException {
    List<Matcher> targets = List.of(Matcher.equal("instance", INSTANCE));
    String query = template.render(new Template.Values(targets, targets, List.of(), 60_000));
    return queries.instant(new QueryService.InstantQuery(query, TestWorld.NOW_MS)).value()
            instanceof QueryValue.Vector vector
        ? vector.elements()
        : List.of();
  }
}
