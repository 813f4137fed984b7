package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.HardwareExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.HardwareExamined.assertUnknown;
import static org.inferometer.diagnosis.cause.HardwareExamined.one;
import static org.inferometer.diagnosis.cause.HardwareExamined.replica;
import static org.inferometer.diagnosis.cause.HardwareExamined.three;
import static org.inferometer.diagnosis.cause.HardwareExamined.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class PowerThrottleTest {
  private final PowerThrottle check = new PowerThrottle();

  private static void capped(Worlds.Things gpu) {
    gpu.reading("gpu_power", 240, 450)
        .reading("gpu_power_limit", 245, 700)
        .reading("gpu_power_share", 0.97, 0.64)
        .reading("gpu_sm_clock", 1.1e9, 1.98e9)
        .reading("gpu_clock_event_reasons", 4, 0);
  }

  @Test
  void examine_lowerLimitAndSlowerPrompts() {
    Finding finding =
        verdict(
            check, one(PowerThrottleTest::capped, r -> r.reading("prefill_time_mean", 0.1, 0.05)));
    assertEquals(0.05 / 0.08, finding.effect().share(), 1e-6);
  }

  @Test
  void examine_lowerLimitThatIsNotReached() {
    assertNoVerdict(check, one(g -> g.reading("gpu_power_limit", 630, 700), r -> {}));
  }

  @Test
  void examine_flagWithoutEffect() {
    assertNoVerdict(
        check,
        one(
            g -> g.reading("gpu_clock_event_reasons", 4, 4).reading("gpu_power_share", 1, 1),
            r -> r.reading("tpot_mean", 0.03, 0.016)));
  }

  @Test
  void examine_clocksFallAndPromptsTakeAsLong() {
    assertNoVerdict(check, one(PowerThrottleTest::capped, r -> {}));
  }

  @Test
  void examine_moreLoadReachesTheLimit() {
    assertNoVerdict(
        check,
        one(
                g ->
                    g.reading("gpu_power", 690, 450)
                        .reading("gpu_power_share", 0.99, 0.64)
                        .reading("gpu_sm_clock", 1.75e9, 1.98e9),
                r -> r.reading("prefill_time_mean", 0.1, 0.05))
            .reading("prompt_token_rate", 20000, 8000));
  }

  @Test
  void examine_limitAsEverAndNobodyFeelsIt() {
    assertNoVerdict(
        check,
        one(
            g ->
                g.reading("gpu_power", 690, 650)
                    .reading("gpu_power_share", 0.99, 0.93)
                    .reading("gpu_sm_clock", 1.75e9, 1.98e9),
            r -> r.reading("prefill_time_mean", 0.06, 0.05)));
  }

  @Test
  void examine_powerBrakeOfOneMachine() {
    Finding finding =
        verdict(
            check,
            three(
                g ->
                    g.reading("gpu_sm_clock", 0.9e9, 1.98e9)
                        .reading("gpu_clock_event_reasons", 136, 0),
                r -> r.reading("prefill_time_mean", 0.1, 0.05)));
    assertEquals("a:8000", finding.scope().instance());
    assertEquals("n0/gpu0", finding.scope().gpu());
  }

  @Test
  void examine_noGpus() {
    assertUnknown(check, Worlds.vllm().replica("a:8000", replica(r -> {})));
  }
}
