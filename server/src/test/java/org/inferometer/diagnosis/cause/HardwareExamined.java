package org.inferometer.diagnosis.cause;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Worlds;

/** Worlds of replicas on GPUs, and what a check of the hardware makes of a world. */
final class HardwareExamined {
  static final String H100 = "NVIDIA H100 80GB HBM3";

  /** As sure as a verdict has to be. */
  private static final double SURE = 0.6;

  private HardwareExamined() {}

  static Finding verdict(Check check, Worlds world) {
    for (Outcome outcome : examine(check, world)) {
      if (outcome instanceof Outcome.Found found && found.finding().confidence() >= SURE) {
        assertFalse(found.finding().evidence().isEmpty());
        return found.finding();
      }
    }
    throw new AssertionError("expected a verdict, got " + examine(check, world));
  }

  static void assertNoVerdict(Check check, Worlds world) {
    for (Outcome outcome : examine(check, world)) {
      assertFalse(
          outcome instanceof Outcome.Found found && found.finding().confidence() >= SURE,
          () -> "unexpected: " + outcome);
    }
  }

  static void assertUnknown(Check check, Worlds world) {
    assertTrue(
        examine(check, world).getFirst() instanceof Outcome.Unknown unknown
            && !unknown.missing().isEmpty());
  }

  private static List<Outcome> examine(Check check, Worlds world) {
    List<Outcome> outcomes = check.examine(world.build(), Thresholds.builtIn());
    assertFalse(outcomes.isEmpty());
    outcomes.forEach(outcome -> assertEquals(check.cause(), outcome.cause()));
    return outcomes;
  }

  /** A replica that is as well as it was, with changes. */
  static Consumer<Worlds.Things> replica(Consumer<Worlds.Things> changes) {
    return things -> {
      things
          .reading("request_start_rate", 3, 3)
          .reading("request_rate", 3, 3)
          .reading("output_token_rate", 700, 700)
          .reading("prompt_length_mean", 1400, 1400)
          .reading("output_length_mean", 240, 240)
          .reading("prefill_time_mean", 0.05, 0.05)
          .reading("ttft_mean", 0.08, 0.08)
          .reading("e2e_mean", 4, 4)
          .reading("queue_time_mean", 0, 0)
          .reading("first_token_rest_mean", 0.03, 0.03)
          .reading("tpot_mean", 0.016, 0.016)
          .reading("itl_mean", 0.016, 0.016)
          .reading("itl_p50", 0.016, 0.016)
          .reading("running", 12, 12)
          .reading("waiting", 0, 0)
          .reading("step_rate", 62, 62)
          .reading("process_cpu", 0.05, 0.05)
          .reading("process_memory", 1.4e9, 1.4e9);
      changes.accept(things);
    };
  }

  /** A GPU that is as well as it was, with changes. */
  static Consumer<Worlds.Things> gpu(Consumer<Worlds.Things> changes) {
    return things -> {
      things
          .reading("gpu_util", 0.99, 0.99)
          .reading("gpu_sm_active", 0.91, 0.91)
          .reading("gpu_dram_active", 0.5, 0.5)
          .reading("gpu_power", 450, 450)
          .reading("gpu_power_limit", 700, 700)
          .reading("gpu_power_share", 0.64, 0.64)
          .reading("gpu_sm_clock", 1.98e9, 1.98e9)
          .reading("gpu_memory_clock", 2.6e9, 2.6e9)
          .reading("gpu_temperature", 55, 55)
          .reading("gpu_clock_event_reasons", 0, 0)
          .reading("gpu_memory_used", 7e10, 7e10)
          .reading("gpu_memory_share", 0.9, 0.9)
          .reading("gpu_xid", 0, 0)
          .reading("gpu_ecc_uncorrected", 0, 0)
          .reading("gpu_remap_pending", 0, 0)
          .reading("gpu_pcie_width", 16, 16);
      changes.accept(things);
    };
  }

  static void unchanged(Worlds.Things things) {
    // Nothing changes.
  }

  /** One replica on two GPUs. */
  static Worlds one(Consumer<Worlds.Things> gpus, Consumer<Worlds.Things> replica) {
    return Worlds.vllm()
        .gpu("n0", 0, "a:8000", H100, gpu(gpus))
        .gpu("n0", 1, "a:8000", H100, gpu(gpus))
        .replica("a:8000", replica(replica));
  }

  /** Three replicas on a GPU each, of which the first is another. */
  static Worlds three(Consumer<Worlds.Things> gpu, Consumer<Worlds.Things> replica) {
    return Worlds.vllm()
        .gpu("n0", 0, "a:8000", H100, gpu(gpu))
        .gpu("n1", 0, "b:8000", H100, gpu(HardwareExamined::unchanged))
        .gpu("n2", 0, "c:8000", H100, gpu(HardwareExamined::unchanged))
        .replica("a:8000", replica(replica))
        .replica("b:8000", replica(HardwareExamined::unchanged))
        .replica("c:8000", replica(HardwareExamined::unchanged));
  }
}
