package org.inferometer.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.TelemetryProblem;
import org.inferometer.diagnosis.world.Worlds;
import org.inferometer.signals.GpuEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DecisionTreeTest {
  private static final String H100 = "NVIDIA H100 80GB HBM3";
  private static final long START = Worlds.START_MS + Worlds.WINDOW_MS;

  private static Worlds served() {
    return Worlds.vllm()
        .reading("request_rate", 5, 5)
        .reading("running", 40, 40)
        .reading("ttft_p95", 0.4, 0.4)
        .reading("ttft_mean", 0.2, 0.2)
        .reading("tpot_p95", 0.03, 0.03)
        .reading("e2e_mean", 6, 6)
        .reading("queue_share", 0.01, 0.01)
        .reading("queue_time_mean", 0.02, 0.02)
        .reading("prefill_time_mean", 0.15, 0.15)
        .reading("decode_time_mean", 5.8, 5.8)
        .reading("kv_usage_max", 0.5, 0.5)
        .reading("preemption_rate", 0, 0)
        .reading("cached_prompt_share", 0.6, 0.6);
  }

  /** The first token takes seconds and waits for most of them. */
  private static Worlds queueing() {
    return served()
        .reading("ttft_p95", 6, 0.4)
        .reading("ttft_mean", 4, 0.2)
        .reading("queue_share", 0.45, 0.01)
        .reading("queue_time_mean", 3.8, 0.02);
  }

  private static @Nullable String end(Worlds worlds) {
    return end(worlds.build());
  }

  private static @Nullable String end(ServiceWorld world) {
    return DecisionTree.builtIn().walk(world, Thresholds.builtIn()).end();
  }

  @Test
  void wellServed_endsInHealthy() {
    assertThat(end(served())).isEqualTo("healthy");
  }

  @Test
  void nothingArrives_endsInNoTraffic() {
    assertThat(end(Worlds.vllm().reading("request_rate", 0, 5).reading("running", 0, 40)))
        .isEqualTo("no-traffic");
  }

  @Test
  void queueWithRoomInTheCache_endsInCapacity() {
    assertThat(end(queueing())).isEqualTo("capacity");
  }

  @Test
  void queueWithAFullCache_endsInKvExhaustion() {
    assertThat(end(queueing().reading("kv_usage_max", 0.99, 0.5))).isEqualTo("kv-exhaustion");
  }

  @Test
  void queueWithFewerHits_endsInPrefixCacheLoss() {
    assertThat(end(queueing().reading("cached_prompt_share", 0.1, 0.6)))
        .isEqualTo("prefix-cache-loss");
  }

  @Test
  void hitsThatPreemptionsMade_arentALoss() {
    Worlds worlds =
        queueing().reading("cached_prompt_share", 0.1, 0.6).reading("preemption_rate", 3, 0);
    assertThat(end(worlds)).isEqualTo("kv-exhaustion");
  }

  @Test
  void queueOfPrompts_endsInPrefillBound() {
    assertThat(end(queueing().reading("prefill_token_share", 0.99, 0.99)))
        .isEqualTo("prefill-bound");
  }

  @Test
  void longerPromptsWithoutAQueue_endInPrefillBound() {
    Worlds worlds =
        served()
            .reading("ttft_p95", 4, 0.4)
            .reading("ttft_mean", 3, 0.2)
            .reading("prefill_time_mean", 2.9, 0.15)
            .reading("prompt_length_mean", 20_000, 1500);
    assertThat(end(worlds)).isEqualTo("prefill-bound");
  }

  @Test
  void firstTokenBeyondQueueAndPrefill_endsInTheFrontEnd() {
    Worlds worlds = served().reading("ttft_p95", 4, 0.4).reading("ttft_mean", 3, 0.2);
    assertThat(end(worlds)).isEqualTo("frontend-cpu");
  }

  @Test
  void slowTokensOfALargerBatch_endInDecodeSaturated() {
    assertThat(end(served().reading("tpot_p95", 0.3, 0.03).reading("running", 200, 40)))
        .isEqualTo("decode-saturated");
  }

  @Test
  void unevenTokens_endInJitter() {
    assertThat(end(served().reading("itl_p99", 0.5, 0.04))).isEqualTo("decode-jitter");
  }

  @Test
  void longerAnswers_endInOutputLength() {
    Worlds worlds = served().reading("e2e_p95", 30, 8).reading("output_length_mean", 900, 220);
    assertThat(end(worlds)).isEqualTo("output-length");
  }

  @Test
  void brokenTelemetryThatNobodyFeels_endsThere() {
    Worlds worlds =
        served().telemetry(new TelemetryProblem("frozen", "a:8000", List.of(), "Old.", true));
    assertThat(end(worlds)).isEqualTo("telemetry-broken");
  }

  /** On call, first case: busy GPUs, two requests at once, the pool before them is too small. */
  @Test
  void busyGpusWithTinyBatches_endInTheGatewaysConnections() {
    Worlds worlds =
        served()
            .reading("running", 2, 2)
            .reading("e2e_mean", 0.4, 0.4)
            .gpu(
                "n1",
                0,
                "a:8000",
                H100,
                g ->
                    g.reading("gpu_util", 1, 1)
                        .reading("gpu_tensor_active", 0.04, 0.04)
                        .reading("gpu_dram_active", 0.88, 0.88))
            .gateway(
                "edge",
                g ->
                    g.reading("request_rate", 5, 5)
                        .reading("e2e_mean", 9, 0.5)
                        .reading("ttft_mean", 8, 0.3)
                        .reading("ttft_p95", 12, 0.5));
    assertThat(end(worlds)).isEqualTo("connection-serialised");
  }

  @Test
  void busyGpusWithTinyBatchesAndNobodyBefore_endInMemory() {
    Worlds worlds =
        served()
            .reading("running", 2, 2)
            .reading("tpot_p95", 0.25)
            .gpu(
                "n1",
                0,
                "a:8000",
                H100,
                g ->
                    g.reading("gpu_util", 1, 1)
                        .reading("gpu_tensor_active", 0.04, 0.04)
                        .reading("gpu_dram_active", 0.88, 0.88));
    assertThat(end(worlds)).isEqualTo("decode-memory-bound");
  }

  /** On call, second case: the first token takes seven times as long while KV usage falls. */
  @Test
  void lateFirstTokenWithLessKv_endsInPrefixCacheLoss() {
    Worlds worlds =
        served()
            .reading("ttft_p95", 4, 0.6)
            .reading("ttft_mean", 2.5, 0.3)
            .reading("prefill_time_mean", 2.3, 0.2)
            .reading("kv_usage_max", 0.3, 0.5)
            .reading("cached_prompt_share", 0.05, 0.6);
    assertThat(end(worlds)).isEqualTo("prefix-cache-loss");
  }

  /** On call, third case: P99 stands at a minute, the median is well, many are aborted. */
  @Test
  void abortsWithoutAQueue_endInTheGatewaysTimeout() {
    assertThat(end(served().reading("error_share", 0.15, 0.001).reading("e2e_p99", 60, 20)))
        .isEqualTo("gateway-timeout");
  }

  /** On call, fourth case: out of memory, again and again. */
  @Test
  void restartsAgainAndAgain_endInConfiguration() {
    Worlds worlds = served().replica("a:8000", r -> r.reading("running", 5, 20));
    for (int i = 0; i < 3; i++) {
      worlds.happening(
          new Happening(
              START + i * 60_000L, Happening.Kind.RESTART, "a:8000", "", null, null, "Again."));
    }
    assertThat(end(worlds)).isEqualTo("oom-config");
  }

  /** On call, fifth case: one replica takes three times as long, and its GPU's memory fails. */
  @Test
  void slowReplicaWithMemoryErrors_endsInHardware() {
    GpuEvent ecc =
        new GpuEvent(
            START, "dcgm/n2", "1", "u", GpuEvent.Kind.ECC, "Uncorrected errors.", "Reset it.");
    Worlds worlds =
        served()
            .reading("slowest_replica", 3, 1)
            .reading("ttft_p95", 1.2, 0.4)
            .gpu("n2", 1, "b:8000", H100, List.of(ecc), g -> g.reading("gpu_util", 1, 1));
    assertThat(end(worlds)).isEqualTo("hardware-fault");
  }

  @Test
  void slowReplicaWithoutAReason_endsThere() {
    assertThat(end(served().reading("slowest_replica", 3, 1).reading("ttft_p95", 1.2, 0.4)))
        .isEqualTo("slow-replica");
  }

  /** The layers side by side: a queue, a full cache and preemptions under busy, idle GPUs. */
  @Test
  void reconciliation_endsInKvExhaustionWithEveryAnswerMeasured() {
    DecisionTree.Walk walk =
        DecisionTree.builtIn().walk(SeedWorlds.reconciliation(), Thresholds.builtIn());
    assertThat(walk.end()).isEqualTo("kv-exhaustion");
    assertThat(walk.steps())
        .extracting(PathStep::question, PathStep::answer)
        .contains(
            org.assertj.core.api.Assertions.tuple(
                "Is the KV cache full?", "Yes: 100 %, above 95 %."));
  }

  @Test
  void everyQuestion_canBeReachedAndEndsInAKnownCause() {
    Set<String> reached = new LinkedHashSet<>();
    List<DecisionTree.Answer> answers = new ArrayList<>();
    for (DecisionTree.Node node : DecisionTree.builtIn().nodes()) {
      answers.addAll(List.of(node.yes(), node.no(), node.unknown()));
    }
    for (DecisionTree.Answer answer : answers) {
      if (answer.node() != null) {
        reached.add(answer.node());
      }
      if (answer.cause() != null) {
        assertThat(Causes.builtIn().get(answer.cause())).isNotNull();
      }
    }
    for (DecisionTree.Node node : DecisionTree.builtIn().nodes()) {
      assertThat(node.id().equals("telemetry") || reached.contains(node.id()))
          .as(node.id())
          .isTrue();
    }
  }

  @Test
  void everyThresholdOfTheTree_isThere() {
    for (DecisionTree.Node node : DecisionTree.builtIn().nodes()) {
      String name = node.threshold();
      assertThat(name == null || Thresholds.builtIn().has(name)).as(node.id()).isTrue();
    }
  }

  @Test
  void answerThatLeadsNowhere_isRefused() {
    String text =
        """
        nodes:
          - {id: a, ask: "Why?", measure: symptoms, above: tree_none, yes: b, no: untold}
        """;
    assertThatThrownBy(() -> DecisionTree.parse("t.yaml", text))
        .hasMessageContaining("a leads to \"b\"");
  }
}
