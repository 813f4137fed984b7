package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.HardwareExamined.H100;
import static org.inferometer.diagnosis.cause.HardwareExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.HardwareExamined.assertUnknown;
import static org.inferometer.diagnosis.cause.HardwareExamined.gpu;
import static org.inferometer.diagnosis.cause.HardwareExamined.one;
import static org.inferometer.diagnosis.cause.HardwareExamined.replica;
import static org.inferometer.diagnosis.cause.HardwareExamined.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.Consumer;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class TpStragglerTest {
  private final TpStraggler check = new TpStraggler();

  private static Worlds pair(Consumer<Worlds.Things> second, Consumer<Worlds.Things> replica) {
    return Worlds.vllm()
        .gpu("n0", 0, "a:8000", H100, gpu(g -> g.reading("gpu_power", 180, 450)))
        .gpu("n0", 1, "a:8000", H100, gpu(second))
        .replica("a:8000", replica(replica));
  }

  @Test
  void examine_oneGpuIsSlow() {
    assertEquals(
        "n0/gpu1",
        verdict(
                check,
                pair(
                    g -> g.reading("gpu_sm_clock", 0.8e9, 1.98e9),
                    r -> r.reading("tpot_mean", 0.04, 0.016)))
            .scope()
            .gpu());
  }

  @Test
  void examine_allGpusAreSlow() {
    assertNoVerdict(
        check,
        one(
            g -> g.reading("gpu_sm_clock", 0.8e9, 1.98e9),
            r -> r.reading("tpot_mean", 0.04, 0.016)));
  }

  @Test
  void examine_slightlyLowerClock() {
    assertNoVerdict(check, pair(g -> g.reading("gpu_sm_clock", 1.8e9, 1.98e9), r -> {}));
  }

  @Test
  void examine_noGpus() {
    assertUnknown(check, Worlds.vllm().replica("a:8000", replica(r -> {})));
  }
}
