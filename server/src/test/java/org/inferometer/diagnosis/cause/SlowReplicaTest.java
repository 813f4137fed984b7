package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.HardwareExamined.H100;
import static org.inferometer.diagnosis.cause.HardwareExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.HardwareExamined.gpu;
import static org.inferometer.diagnosis.cause.HardwareExamined.one;
import static org.inferometer.diagnosis.cause.HardwareExamined.replica;
import static org.inferometer.diagnosis.cause.HardwareExamined.three;
import static org.inferometer.diagnosis.cause.HardwareExamined.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Consumer;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class SlowReplicaTest {
  private final SlowReplica check = new SlowReplica();

  private static void slow(Worlds.Things replica) {
    replica.reading("itl_mean", 0.035, 0.016).reading("tpot_mean", 0.035, 0.016);
  }

  @Test
  void examine_oneOfThree() {
    assertEquals(
        "a:8000",
        verdict(check, three(g -> {}, SlowReplicaTest::slow).reading("e2e_p95", 30, 10))
            .scope()
            .instance());
  }

  @Test
  void examine_moreLoad() {
    assertNoVerdict(
        check,
        three(
            g -> {},
            r -> {
              slow(r);
              r.reading("request_start_rate", 9, 3);
            }));
  }

  @Test
  void examine_olderGpusAsEver() {
    assertNoVerdict(
        check,
        Worlds.vllm()
            .gpu("n0", 0, "a:8000", "NVIDIA A100-SXM4-80GB", gpu(g -> {}))
            .gpu("n1", 0, "b:8000", H100, gpu(g -> {}))
            .replica("a:8000", replica(r -> r.reading("itl_mean", 0.035, 0.035)))
            .replica("b:8000", replica(r -> {}))
            .reading("e2e_p95", 30, 10));
  }

  private static void slowAllAlong(Worlds.Things replica) {
    replica.reading("itl_mean", 0.06, 0.06).reading("tpot_mean", 0.06, 0.06);
  }

  @Test
  void examine_slowFromTheStartOnTheSameGpus() {
    assertEquals(
        "a:8000", verdict(check, three(g -> {}, SlowReplicaTest::slowAllAlong)).scope().instance());
  }

  @Test
  void examine_slowPromptsWithoutATimeOfPrefill() {
    Finding finding =
        verdict(
            check,
            three(
                g -> {},
                r ->
                    r.absent("prefill_time_mean", "No such metric.")
                        .reading("ttft_mean", 0.4, 0.08)));
    assertEquals("ttft_mean", finding.effect().signal());
  }

  @Test
  void examine_promptsThatAreComputedAgain() {
    verdict(check, three(g -> {}, r -> r.reading("prefill_time_mean", 0.4, 0.08)));
    assertNoVerdict(
        check,
        three(
            g -> {},
            r ->
                r.reading("prefill_time_mean", 0.4, 0.08)
                    .reading("preemption_rate", 1, 0)
                    .reading("request_rate", 3, 3)));
  }

  private static Worlds withoutGpus(double capacity) {
    return Worlds.vllm()
        .replica(
            "a:8000",
            replica(
                r -> {
                  slowAllAlong(r);
                  r.reading("kv_capacity_tokens", capacity);
                }))
        .replica("b:8000", replica(r -> r.reading("kv_capacity_tokens", 400_000)))
        .replica("c:8000", replica(r -> r.reading("kv_capacity_tokens", 400_000)));
  }

  @Test
  void examine_slowFromTheStartWithoutGpus() {
    Finding finding = verdict(check, withoutGpus(400_000));
    assertEquals("a:8000", finding.scope().instance());
    assertTrue(finding.says().endsWith("without metrics of its GPUs."), finding.says());
    assertTrue(
        finding.against().stream().anyMatch(e -> e.says().contains("heat")),
        "what may stand behind it");
  }

  @Test
  void examine_otherMemoryIsOtherHardware() {
    assertNoVerdict(check, withoutGpus(90_000));
  }

  @Test
  void examine_aloneHasNoPeers() {
    assertNoVerdict(check, one(g -> {}, SlowReplicaTest::slow));
  }

  /**
   * Prompts on an older GPU, with hits that come and go; nobody feels it, and what it is isn't
   * told.
   */
  private static Worlds slowPrompts(double hits, double hitsBefore) {
    return Worlds.vllm()
        .replica(
            "a:8000",
            replica(
                r ->
                    r.reading("prefill_time_mean", 0.12, 0.12)
                        .reading("cached_prompt_share", hits, hitsBefore)))
        .replica("b:8000", replica(r -> r.reading("cached_prompt_share", 0.7, 0.7)))
        .replica("c:8000", replica(r -> r.reading("cached_prompt_share", 0.7, 0.7)));
  }

  @Test
  void examine_slowPromptsAsEverWithoutGpus() {
    assertNoVerdict(check, slowPrompts(0.7, 0.7));
  }

  /** As much memory is what another generation has as well, but it doesn't read so slowly. */
  @Test
  void examine_slowPromptsAsEverWithAsMuchMemory() {
    assertNoVerdict(
        check,
        Worlds.vllm()
            .replica("a:8000", memory(r -> r.reading("prefill_time_mean", 0.12, 0.12)))
            .replica("b:8000", memory(r -> {}))
            .replica("c:8000", memory(r -> {})));
    verdict(
        check,
        Worlds.vllm()
            .replica("a:8000", memory(SlowReplicaTest::slowAllAlong))
            .replica("b:8000", memory(r -> {}))
            .replica("c:8000", memory(r -> {})));
  }

  private static Consumer<Worlds.Things> memory(Consumer<Worlds.Things> changes) {
    return replica(r -> changes.accept(r.reading("kv_capacity_tokens", 400_000)));
  }

  @Test
  void examine_slowPromptsAsEverWithFewerHitsBefore() {
    assertNoVerdict(check, slowPrompts(0.75, 0.72));
  }

  @Test
  void examine_olderGpusALittleSlowerThanEver() {
    assertNoVerdict(
        check,
        Worlds.vllm()
            .gpu("n0", 0, "a:8000", "NVIDIA A100-SXM4-80GB", gpu(g -> {}))
            .gpu("n1", 0, "b:8000", H100, gpu(g -> {}))
            .replica("a:8000", replica(r -> r.reading("prefill_time_mean", 0.15, 0.125)))
            .replica("b:8000", replica(r -> {})));
  }
}
