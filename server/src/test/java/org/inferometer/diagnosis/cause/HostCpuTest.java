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

final class HostCpuTest {
  private final HostCpu check = new HostCpu();

  private static Worlds on(Consumer<Worlds.Things> host, Consumer<Worlds.Things> gpu) {
    return Worlds.vllm()
        .host("n0", host)
        .gpu("n0", 0, "a:8000", H100, gpu(gpu))
        .replica(
            "a:8000",
            1,
            "n0",
            replica(r -> r.reading("itl_mean", 0.03, 0.016).reading("step_rate", 33, 62)));
  }

  @Test
  void examine_noCoresLeft() {
    assertEquals(
        "n0",
        verdict(
                check,
                on(
                    h -> h.reading("host_cpu", 1, 0.1).reading("host_cpu_pressure", 1, 0),
                    g -> g.reading("gpu_util", 0.5, 0.95)))
            .scope()
            .instance());
  }

  @Test
  void examine_stolen() {
    verdict(
        check,
        on(
            h -> h.reading("host_cpu", 0.5, 0.1).reading("host_steal", 0.4, 0),
            g -> g.reading("gpu_util", 0.5, 0.95)));
  }

  @Test
  void examine_busyHostAndNobodyWaits() {
    assertNoVerdict(check, on(h -> h.reading("host_cpu", 0.95, 0.1), g -> {}));
  }

  @Test
  void examine_coresToSpare() {
    assertNoVerdict(
        check, on(h -> h.reading("host_cpu", 0.4, 0.1), g -> g.reading("gpu_util", 0.5, 0.95)));
  }

  @Test
  void examine_noHost() {
    assertUnknown(check, one(g -> {}, r -> {}));
  }
}
