package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.HardwareExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.HardwareExamined.assertUnknown;
import static org.inferometer.diagnosis.cause.HardwareExamined.replica;
import static org.inferometer.diagnosis.cause.HardwareExamined.three;
import static org.inferometer.diagnosis.cause.HardwareExamined.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class ThermalThrottleTest {
  private final ThermalThrottle check = new ThermalThrottle();

  @Test
  void examine_hotAndSlow() {
    assertEquals(
        "a:8000",
        verdict(
                check,
                three(
                    g ->
                        g.reading("gpu_temperature", 90, 55)
                            .reading("gpu_clock_event_reasons", 72, 0)
                            .reading("gpu_sm_clock", 1.2e9, 1.98e9),
                    r -> r.reading("prefill_time_mean", 0.09, 0.05)))
            .scope()
            .instance());
  }

  @Test
  void examine_effectWithoutATimeOfPrefill() {
    Finding finding =
        verdict(
            check,
            three(
                g ->
                    g.reading("gpu_temperature", 90, 55)
                        .reading("gpu_clock_event_reasons", 72, 0)
                        .reading("gpu_sm_clock", 1.2e9, 1.98e9),
                r -> r.absent("prefill_time_mean", "No such metric.").reading("ttft_mean", 0.2, 0.08)));
    assertEquals(0.6, finding.effect().share(), 1e-6);
  }

  @Test
  void examine_warmerAndAsFast() {
    assertNoVerdict(check, three(g -> g.reading("gpu_temperature", 70, 55), r -> {}));
  }

  @Test
  void examine_bitWithoutLowerClock() {
    assertNoVerdict(check, three(g -> g.reading("gpu_clock_event_reasons", 32, 0), r -> {}));
  }

  @Test
  void examine_noGpus() {
    assertUnknown(check, Worlds.vllm().replica("a:8000", replica(r -> {})));
  }
}
