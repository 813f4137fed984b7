package org.inferometer.diagnosis.cause;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Worlds;

/** What a check says of a world, and worlds that several tests begin with. */
final class EngineExamined {
  private static final double VERDICT = Thresholds.builtIn().get("verdict_confidence_min");

  private EngineExamined() {}

  static Outcome outcome(Check check, Worlds world) {
    return check.examine(world.build(), Thresholds.builtIn()).getFirst();
  }

  static Finding verdict(Check check, Worlds world) {
    ServiceWorld built = world.build();
    Outcome outcome = check.examine(built, Thresholds.builtIn()).getFirst();
    Finding finding =
        assertInstanceOf(Outcome.Found.class, outcome, () -> String.valueOf(outcome)).finding();
    assertEquals(check.cause(), finding.cause());
    assertTrue(finding.confidence() >= VERDICT, () -> finding + " " + built.symptoms());
    return finding;
  }

  /** That it isn't the matter, or not sure enough to be said. */
  static void assertNoVerdict(Check check, Worlds world) {
    Outcome outcome = outcome(check, world);
    if (outcome instanceof Outcome.Found found) {
      assertTrue(found.finding().confidence() < VERDICT, found::toString);
    }
  }

  static void assertRuledOut(Check check, Worlds world) {
    assertInstanceOf(Outcome.RuledOut.class, outcome(check, world));
  }

  static void assertUnknown(Check check, Worlds world) {
    assertInstanceOf(Outcome.Unknown.class, outcome(check, world));
  }

  /** A chat service in which all is well, the same in the baseline: one engine. */
  static Worlds well() {
    Worlds world = Worlds.vllm();
    steady(world, "request_rate", 3);
    steady(world, "request_start_rate", 3);
    steady(world, "ttft_p95", 0.2);
    steady(world, "ttft_mean", 0.08);
    steady(world, "tpot_p95", 0.024);
    steady(world, "tpot_mean", 0.016);
    steady(world, "itl_p50", 0.0176);
    steady(world, "itl_p99", 0.045);
    steady(world, "itl_mean", 0.016);
    steady(world, "e2e_p95", 9.8);
    steady(world, "e2e_mean", 3.8);
    steady(world, "queue_time_mean", 0);
    steady(world, "prefill_time_mean", 0.046);
    steady(world, "prompt_length_mean", 1400);
    steady(world, "output_length_mean", 237);
    steady(world, "prompt_token_rate", 4200);
    steady(world, "output_token_rate", 711);
    steady(world, "cached_prompt_share", 0.7);
    steady(world, "prefix_hit_share", 0.7);
    steady(world, "running", 11);
    steady(world, "waiting", 0);
    steady(world, "kv_usage_max", 0.15);
    steady(world, "preemption_rate", 0);
    return steady(world, "step_rate", 64);
  }

  static Worlds steady(Worlds world, String signal, double value) {
    return world.reading(signal, value, value);
  }

  /** The same with a queue that takes most of the first token's time. */
  static Worlds queued() {
    return well()
        .reading("ttft_p95", 36, 0.2)
        .reading("ttft_mean", 11.5, 0.08)
        .reading("e2e_p95", 43, 9.8)
        .reading("e2e_mean", 21, 3.8)
        .reading("queue_time_mean", 10.3, 0)
        .reading("waiting", 107, 0, 40, 251);
  }

  /** Two H100 for the engine. */
  static Worlds onH100(Worlds world, double tensor, double dram) {
    for (int i = 0; i < 2; i++) {
      world.gpu(
          "node",
          i,
          "a:8000",
          "NVIDIA H100 80GB HBM3",
          g ->
              g.reading("gpu_util", 0.99)
                  .reading("gpu_tensor_active", tensor)
                  .reading("gpu_dram_active", dram));
    }
    return world;
  }

  /** Only what the window tells, as on a page that was watched for some minutes. */
  static Worlds alone() {
    return Worlds.vllm().withoutBaseline();
  }
}
