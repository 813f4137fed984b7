package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

class SignalsTest {
  /** An engine at work: 60 requests and 6,000 tokens in the last minute. */
  private static final String BUSY =
      """
      vllm:num_requests_running{model_name="m",engine="0"} 3
      vllm:num_requests_running{model_name="m",engine="1"} 2
      vllm:num_requests_waiting{model_name="m",engine="0"} 1
      vllm:num_requests_waiting{model_name="m",engine="1"} 0
      vllm:kv_cache_usage_perc{model_name="m",engine="0",pid="11"} 0.2
      vllm:kv_cache_usage_perc{model_name="m",engine="0",pid="12"} 0.4
      vllm:kv_cache_usage_perc{model_name="m",engine="1",pid="11"} 0.8
      vllm:request_success_total{model_name="m",engine="0",finished_reason="stop"} 57
      vllm:request_success_total{model_name="m",engine="0",finished_reason="length"} 3
      vllm:request_success_total{model_name="m",engine="0",finished_reason="abort"} 0
      vllm:prompt_tokens_total{model_name="m",engine="0"} 1200
      vllm:generation_tokens_total{model_name="m",engine="0"} 6000
      vllm:time_to_first_token_seconds_bucket{model_name="m",engine="0",le="1.0"} 20
      vllm:time_to_first_token_seconds_bucket{model_name="m",engine="0",le="2.5"} 60
      vllm:time_to_first_token_seconds_bucket{model_name="m",engine="0",le="+Inf"} 60
      """;

  private static final String GPU =
      """
      DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",modelName="H100",Hostname="%s"} 97
      DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-a",modelName="H100",Hostname="%s"} 60
      """;

  @Test
  void replicasOfOneModelAreOneService() throws QueryException {
    TestWorld world = new TestWorld().add(busy(), "a", "h1:8000").add(busy(), "b", "h2:8000");
    Service service = only(world);
    assertThat(service.id()).isEqualTo("vllm/m");
    assertThat(service.model()).isEqualTo("m");
    assertThat(service.replicas())
        .extracting(Service.Replica::instance)
        .containsExactly("h1:8000", "h2:8000");
    assertThat(value(world, "vllm/m", "running")).isEqualTo(10);
    assertThat(value(world, "vllm/m", "request_rate")).isCloseTo(2, within(1e-9));
  }

  @Test
  void gaugesSplitByProcessCountOnce() throws QueryException {
    TestWorld world = new TestWorld().add(busy(), "a", "h1:8000");
    // Each engine's largest of its processes, then the mean of the engines.
    assertThat(value(world, "vllm/m", "kv_usage")).isCloseTo(0.6, within(1e-12));
    assertThat(value(world, "vllm/m", "kv_usage_max")).isEqualTo(0.8);
  }

  @Test
  void busyServiceTellsItsNumbers() throws QueryException {
    Service service = only(new TestWorld().add(busy(), "a", "h1:8000"));
    assertThat(service.state()).isEqualTo(State.OK);
    assertThat(service.sentence())
        .isEqualTo(
            "1 finished request/s, time to first token P95 2.4 s (between 1 s and 2.5 s),"
                + " 5 running requests, 1 waiting request.");
  }

  @Test
  void idleServiceSaysHowLong() throws QueryException {
    String idle = BUSY.replaceAll("(?m) [0-9.]+$", " 0");
    Service service = only(new TestWorld().add(Dump.of("idle", idle), "a", "h1:8000"));
    assertThat(service.state()).isEqualTo(State.IDLE);
    assertThat(service.sentence()).isEqualTo("Idle: no requests in the last 5 min.");
  }

  @Test
  void serviceThatTellsOnlyRequests_isJudgedByThem() throws QueryException {
    String part = BUSY.replaceAll("(?m)^vllm:(num_|prompt|generation).*\\n", "");
    assertThat(part).doesNotContain("num_requests").isNotEqualTo(BUSY);
    Service service = only(new TestWorld().add(Dump.of("part", part), "a", "h1:8000"));
    assertThat(service.state()).isEqualTo(State.OK);
    assertThat(service.sentence()).startsWith("1 finished request/s, time to first token P95");
  }

  @Test
  void router_isJudgedByItsErrors() throws QueryException {
    String page =
        """
        litellm_proxy_total_requests_metric_total{requested_model="m"} 100
        litellm_proxy_failed_requests_metric_total{requested_model="m"} 50
        """;
    Service service = only(new TestWorld().add(Dump.of("router", page), "a", "h1:4000"));
    assertThat(service.state()).isEqualTo(State.CRITICAL);
    assertThat(service.sentence()).contains("of requests end in errors or aborts");
  }

  @Test
  void workInsideAndNothingOutMayHang() throws QueryException {
    String stuck = BUSY.replaceAll("(?m)(_total\\{.*\\}|_bucket\\{.*\\}) [0-9.]+$", "$1 0");
    Service service = only(new TestWorld().add(Dump.of("stuck", stuck), "a", "h1:8000"));
    assertThat(service.state()).isEqualTo(State.DEGRADED);
    assertThat(service.sentence()).contains("6 requests in the engine, yet no token for 5 min");
  }

  @Test
  void waitingIsJudgedByReplica_notBySum() throws QueryException {
    TestWorld world = new TestWorld();
    for (int i = 0; i < 30; i++) {
      world.add(busy(), "a", "h" + i + ":8000");
    }
    assertThat(only(world).state()).isEqualTo(State.OK);
  }

  @Test
  void fullCacheAndErrorsAreToldTogether() throws QueryException {
    String bad =
        BUSY.replace("pid=\"11\"} 0.8", "pid=\"11\"} 0.99")
            .replace("\"abort\"} 0", "\"abort\"} 20");
    Service service = only(new TestWorld().add(Dump.of("bad", bad), "a", "h1:8000"));
    assertThat(service.state()).isEqualTo(State.CRITICAL);
    assertThat(service.sentence())
        .isEqualTo(
            "25 % of requests end in errors or aborts; KV cache 99 % full, preemption is near.");
  }

  @Test
  void goalsAreJudgedWithTheirBounds() throws QueryException {
    Goals goals = (service, model) -> Map.of("ttft_p95", 2.0);
    TestWorld world = new TestWorld().add(busy(), "a", "h1:8000");
    Service service = only(Backend.signals(world, goals));
    assertThat(service.state()).isEqualTo(State.DEGRADED);
    assertThat(service.sentence())
        .isEqualTo("Time to first token P95 2.4 s (between 1 s and 2.5 s), its goal is 2 s.");
    SignalResult result = ask(Backend.signals(world, goals), "vllm/m", "ttft_p95", List.of());
    assertThat(result.goal()).isEqualTo(2.0);
  }

  @Test
  void aDownReplicaIsKnownForWhatItWas() throws QueryException {
    TestWorld world =
        new TestWorld().add(busy(), "a", "h1:8000").add(busy(), "a", "h2:8000", Map.of(), 0, 1);
    Service service = only(world);
    assertThat(service.replicas())
        .extracting(Service.Replica::state)
        .containsExactly(State.OK, State.DOWN);
    assertThat(service.state()).isEqualTo(State.DEGRADED);
    assertThat(service.sentence()).startsWith("1 of 2 replicas fail to be scraped. 1 finished");
    assertThat(service.replicas().get(1).sentence()).isEqualTo("Scraping fails for 45 s.");
  }

  @Test
  void downServiceComesFirst() throws QueryException {
    TestWorld world =
        new TestWorld().add(busy(), "a", "h1:8000").add(gpu("h2"), "g", "h2:9400", Map.of(), 0, 1);
    List<Service> services = Backend.signals(world, Goals.NONE).services().services();
    assertThat(services).extracting(Service::id).containsExactly("dcgm/h2:9400", "vllm/m");
    assertThat(services.getFirst().state()).isEqualTo(State.DOWN);
  }

  @Test
  void gpusOfTheSameHostBelongToTheEngine() throws QueryException {
    TestWorld world =
        new TestWorld()
            .add(busy(), "a", "h1:8000")
            .add(gpu("h1"), "g", "10.0.0.1:9400")
            .add(gpu("h2"), "g", "10.0.0.2:9400");
    assertThat(engine(world).related())
        .containsExactly(new Service.Related("dcgm/10.0.0.1:9400", "same host"));
  }

  @Test
  void theOnlyGpuExporterIsTakenForTheEnginesOwn() throws QueryException {
    TestWorld world =
        new TestWorld().add(busy(), "a", "h1:8000").add(gpu("n7"), "g", "10.0.0.1:9400");
    assertThat(engine(world).related())
        .containsExactly(new Service.Related("dcgm/10.0.0.1:9400", "only GPU exporter seen"));
  }

  @Test
  void aPodAndTheGpusThatItUses() throws QueryException {
    String used = GPU.formatted("n7", "n7").replace("gpu=\"0\"", "gpu=\"0\",pod=\"m-0\"");
    TestWorld world =
        new TestWorld()
            .add(busy(), "a", "10.1.0.9:8000", Map.of("pod", "m-0"), 1, 1)
            .add(Dump.of("used", used), "g", "10.0.0.1:9400")
            .add(gpu("n8"), "g", "10.0.0.2:9400");
    assertThat(engine(world).related())
        .containsExactly(new Service.Related("dcgm/10.0.0.1:9400", "its pod uses them"));
  }

  @Test
  void gpuFaultsAreNamed() throws QueryException {
    String bad =
        GPU.formatted("n7", "n7")
            + "DCGM_FI_DEV_XID_ERRORS{gpu=\"0\",UUID=\"GPU-a\"} 79\n"
            + "DCGM_FI_DEV_CLOCKS_EVENT_REASONS{gpu=\"0\",UUID=\"GPU-a\"} 68\n";
    Service service = only(new TestWorld().add(Dump.of("bad", bad), "g", "10.0.0.1:9400"));
    assertThat(service.state()).isEqualTo(State.DEGRADED);
    assertThat(service.sentence())
        .isEqualTo(
            "Xid 79 was seen on GPU 0, which asks for a reset or worse; GPU 0 is slowed down by"
                + " heat, hardware or a power brake.");
  }

  @Test
  void anOrdinaryXidAndPowerCapAreNoFault() throws QueryException {
    String fine =
        GPU.formatted("n7", "n7")
            + "DCGM_FI_DEV_XID_ERRORS{gpu=\"0\",UUID=\"GPU-a\"} 43\n"
            + "DCGM_FI_DEV_CLOCKS_EVENT_REASONS{gpu=\"0\",UUID=\"GPU-a\"} 4\n";
    assertThat(only(new TestWorld().add(Dump.of("fine", fine), "g", "n7:9400")).state())
        .isEqualTo(State.OK);
  }

  @Test
  void aSplitGivesASeriesForEach() throws QueryException {
    TestWorld world = new TestWorld().add(busy(), "a", "h1:8000").add(busy(), "a", "h2:8000");
    SignalResult running =
        ask(Backend.signals(world, Goals.NONE), "vllm/m", "running", List.of("instance", "engine"));
    assertThat(running.series()).hasSize(4);
    SignalResult reasons =
        ask(Backend.signals(world, Goals.NONE), "vllm/m", "finish_rate", List.of("instance"));
    assertThat(reasons.series()).hasSize(6);
    SignalResult ttft =
        ask(Backend.signals(world, Goals.NONE), "vllm/m", "ttft_p95", List.of("instance"));
    assertThat(ttft.series())
        .extracting(series -> series.labels().get("instance"))
        .containsExactly("h1:8000", "h2:8000");
  }

  @Test
  void mixedReplicasSayWhoseValueItIs() throws QueryException {
    Dump old = Dump.of("old", BUSY.replace("kv_cache_usage", "gpu_cache_usage"));
    TestWorld world =
        new TestWorld()
            .add(busy(), "a", "h1:8000")
            .add(busy(), "a", "h2:8000")
            .add(old, "a", "h3:8000");
    SignalResult usage = ask(Backend.signals(world, Goals.NONE), "vllm/m", "kv_usage", List.of());
    assertThat(usage.reason()).isEqualTo("From 2 of 3 replicas; the others lack it.");
  }

  @Test
  void whatIsUnknownIsAbsentWithItsReason() throws QueryException {
    Signals signals = Backend.signals(new TestWorld().add(busy(), "a", "h1:8000"), Goals.NONE);
    assertThat(ask(signals, "vllm/other", "running", List.of()).reason())
        .isEqualTo("there is no such service now");
    assertThat(ask(signals, "vllm/m", "runing", List.of()).reason())
        .isEqualTo("there is no such signal");
    assertThat(ask(signals, "vllm/m", "host_cpu", List.of()).reason())
        .isEqualTo("not a signal of vLLM");
    SignalResult itl = ask(signals, "vllm/m", "itl_p95", List.of());
    assertThat(itl.quality()).isEqualTo(Quality.ABSENT);
    assertThat(itl.query()).isNull();
  }

  @Test
  void aReleaseThatIsThereIsNoAdvice() throws QueryException {
    String page =
        """
        vllm:num_requests_running{model_name="m",engine="0"} 1
        vllm:num_requests_waiting_by_reason{model_name="m",engine="0",reason="capacity"} 0
        """;
    Service service = only(new TestWorld().add(Dump.of("x", page), "a", "h1:8000"));
    Service.AbsentSignal queue =
        service.absent().stream()
            .filter(absent -> absent.signal().equals("queue_time_mean"))
            .findFirst()
            .orElseThrow();
    assertThat(queue.why()).isEqualTo(Absence.BROKEN);
    assertThat(queue.fix()).isNull();
    assertThat(queue.reason()).contains("This release has it").doesNotContain("0.6.4");
  }

  @Test
  void whatFeedsNoSignalsIsStillNamed() throws QueryException {
    Dump dump = Dump.of("x", "prometheus_build_info{version=\"3.1\"} 1\n");
    Service service = only(new TestWorld().add(dump, "a", "h1:9090"));
    assertThat(service.engine().title()).isEqualTo("Prometheus");
    assertThat(service.sentence())
        .isEqualTo("Prometheus feeds no signals; its metrics can be queried.");
  }

  @Test
  void anUnknownPageIsKeptAsOther() throws QueryException {
    Service service = only(new TestWorld().add(Dump.of("x", "foo 1\n"), "a", "h1:1"));
    assertThat(service.id()).isEqualTo("other/h1:1");
    assertThat(service.kind()).isEqualTo(ServiceKind.OTHER);
    assertThat(service.sentence()).isEqualTo("No engine recognised; 1 family.");
  }

  @Test
  void aRouterOnTheEnginesPageIsAServiceOfItsOwn() throws QueryException {
    String router =
        """
        vllm:num_requests_running{server="http://h1:8000"} 40
        vllm:num_requests_running{server="http://h2:8000"} 40
        """;
    TestWorld world = new TestWorld().add(Dump.of("both", BUSY + router), "a", "h1:8000");
    Signals signals = Backend.signals(world, Goals.NONE);
    assertThat(signals.services().services())
        .extracting(Service::id)
        .containsExactlyInAnyOrder("vllm/m", "production-stack-router/h1:8000");
    SignalResult running = ask(signals, "vllm/m", "running", List.of());
    assertThat(running.series().getFirst().values()).containsExactly(5);
    assertThat(running.query()).contains("model_name=\"m\",server=\"\"}");
  }

  @Test
  void oneInstanceUnderTwoJobsIsTwoServices() throws QueryException {
    TestWorld world = new TestWorld().add(gpu("h1"), "a", "h1:9400").add(gpu("h1"), "b", "h1:9400");
    assertThat(Backend.signals(world, Goals.NONE).services().services())
        .extracting(Service::id)
        .containsExactly("dcgm/h1:9400", "dcgm/h1:9400@b");
  }

  @Test
  void nothingWatchedIsNoService() throws QueryException {
    assertThat(Backend.signals(new TestWorld(), Goals.NONE).services().services()).isEmpty();
  }

  private static Dump busy() {
    return Dump.of("busy", BUSY);
  }

  private static Dump gpu(String host) {
    return Dump.of("gpu", GPU.formatted(host, host));
  }

  private static Service only(TestWorld world) throws QueryException {
    return only(Backend.signals(world, Goals.NONE));
  }

  private static Service only(Signals signals) throws QueryException {
    assertThat(signals.services().services()).hasSize(1);
    return signals.services().services().getFirst();
  }

  private static Service engine(TestWorld world) throws QueryException {
    return Backend.signals(world, Goals.NONE).services().services().stream()
        .filter(service -> service.kind() == ServiceKind.ENGINE)
        .findFirst()
        .orElseThrow();
  }

  private static double value(TestWorld world, String service, String signal)
      throws QueryException {
    SignalResult result = ask(Backend.signals(world, Goals.NONE), service, signal, List.of());
    assertThat(result.series()).as(result.toString()).hasSize(1);
    return result.series().getFirst().values()[0];
  }

  private static SignalResult ask(Signals signals, String service, String signal, List<String> by)
      throws QueryException {
    return signals
        .query(
            SignalBatch.at(
                TestWorld.NOW_MS, List.of(new SignalBatch.Request(service, List.of(signal), by))))
        .results()
        .getFirst();
  }
}
