package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.HardwareExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.HardwareExamined.assertUnknown;
import static org.inferometer.diagnosis.cause.HardwareExamined.one;
import static org.inferometer.diagnosis.cause.HardwareExamined.replica;
import static org.inferometer.diagnosis.cause.HardwareExamined.three;
import static org.inferometer.diagnosis.cause.HardwareExamined.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class GpuCpuSyncTest {
  private final GpuCpuSync check = new GpuCpuSync();

  private static void waiting(Worlds.Things replica) {
    replica
        .reading("itl_mean", 0.041, 0.016)
        .reading("itl_p50", 0.041, 0.016)
        .reading("step_rate", 24, 62);
  }

  @Test
  void examine_eachStepWaits() {
    var finding =
        verdict(check, one(g -> g.reading("gpu_util", 0.4, 0.99), GpuCpuSyncTest::waiting));
    assertEquals(0.0243, finding.effect().value() - finding.effect().without(), 1e-3);
  }

  @Test
  void examine_littleIsAsked() {
    assertNoVerdict(
        check,
        one(
            g -> g.reading("gpu_util", 0.2, 0.99),
            r -> r.reading("step_rate", 13, 62).reading("running", 0.3, 12)));
  }

  @Test
  void examine_stallsNowAndThen() {
    assertNoVerdict(
        check,
        one(
            g -> g.reading("gpu_util", 0.6, 0.99),
            r -> r.reading("itl_mean", 0.027, 0.016).reading("step_rate", 37, 62)));
  }

  /** Most tokens come with the long steps, of which there are few: the GPU is busy all the same. */
  @Test
  void examine_stepsOfDifferentLengths() {
    assertNoVerdict(
        check,
        one(
            g -> g.reading("gpu_util", 0.94, 0.99),
            r ->
                r.reading("itl_mean", 0.27, 0.016)
                    .reading("itl_p50", 0.2, 0.016)
                    .reading("step_rate", 7, 62)));
  }

  @Test
  void examine_oneOfThreeWaits() {
    assertNoVerdict(check, three(g -> g.reading("gpu_util", 0.4, 0.99), GpuCpuSyncTest::waiting));
  }

  @Test
  void examine_noGpus() {
    assertUnknown(check, Worlds.vllm().replica("a:8000", replica(GpuCpuSyncTest::waiting)));
  }
}
