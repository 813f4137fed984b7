package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineExamined.alone;
import static org.inferometer.diagnosis.cause.EngineExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.EngineExamined.assertRuledOut;
import static org.inferometer.diagnosis.cause.EngineExamined.assertUnknown;
import static org.inferometer.diagnosis.cause.EngineExamined.verdict;
import static org.inferometer.diagnosis.cause.EngineExamined.well;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class DecodeJitterTest {
  private final DecodeJitter check = new DecodeJitter();

  @Test
  void examine_pauses() {
    String says =
        verdict(check, well().reading("itl_p99", 0.206, 0.045).reading("tpot_mean", 0.019, 0.016))
            .says();
    assertTrue(says.contains("pauses"), says);
  }

  @Test
  void examine_longPrompts() {
    String says =
        verdict(
                check,
                well()
                    .reading("itl_p99", 0.316, 0.047)
                    .reading("tpot_mean", 0.022, 0.016)
                    .reading("prompt_length_mean", 2600, 1400))
            .says();
    assertTrue(says.contains("prompts take more computing"), says);
  }

  @Test
  void examine_noBaseline() {
    verdict(
        check, alone().reading("itl_p50", 0.017).reading("itl_p99", 0.25).reading("waiting", 0));
  }

  @Test
  void examine_steadyMixOfSteps() {
    assertRuledOut(check, alone().reading("itl_p50", 0.018).reading("itl_p99", 0.074));
  }

  @Test
  void examine_asItWasBefore() {
    assertNoVerdict(check, well().reading("itl_p99", 0.25, 0.25));
  }

  /** Two kinds of replicas have two kinds of gaps. */
  @Test
  void examine_oneReplicaIsSlow() {
    assertNoVerdict(
        check, well().reading("itl_p99", 0.34, 0.12).reading("slowest_replica", 1.9, 1));
  }

  @Test
  void examine_othersDoTheWorkOfOneThatRestarts() {
    Worlds world = well().reading("itl_p99", 0.206, 0.045).reading("tpot_mean", 0.019, 0.016);
    verdict(check, world);
    world.happening(
        new Happening(
            Worlds.END_MS - 60_000,
            Happening.Kind.RESTART,
            "a:8000",
            "",
            null,
            null,
            "a:8000 started again."));
    assertNoVerdict(check, world);
  }

  @Test
  void examine_allStepsAreSlower() {
    assertNoVerdict(
        check,
        well()
            .reading("itl_p99", 0.45, 0.18)
            .reading("itl_p50", 0.04, 0.0176)
            .reading("tpot_mean", 0.042, 0.016));
  }

  @Test
  void examine_noSignal() {
    assertUnknown(check, alone().reading("tpot_mean", 0.02));
  }
}
