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

  /**
   * Steps of 30 ms that take longer in part of the time, in which so many run; the host isn't full.
   *
   * @param waits how busy the GPU is in which of the last three minutes, oldest first
   * @param running how many run in them
   */
  private static Worlds unsteady(double[] waits, double[] running) {
    double[] busy = new double[40];
    double[] batch = new double[40];
    double[] gaps = new double[40];
    for (int i = 0; i < 40; i++) {
      int minute = (i - 28) / 4;
      busy[i] = i < 28 ? 0.95 : waits[minute];
      batch[i] = i < 28 ? 4 : running[minute];
      gaps[i] = i < 28 ? 0.016 : 0.016 / busy[i];
    }
    return Worlds.vllm()
        .host("n0", h -> h.reading("host_cpu", 0.3, 0.1))
        .gpu("n0", 0, "a:8000", H100, gpu(g -> g.line("gpu_util", 0.6, 0.95, busy)))
        .replica(
            "a:8000",
            1,
            "n0",
            replica(
                r ->
                    r.line("running", 20, 4, batch)
                        .line("itl_mean", 0.03, 0.016, gaps)
                        .reading("step_rate", 30, 60)));
  }

  @Test
  void examine_workForEachRequest() {
    verdict(check, unsteady(new double[] {0.6, 0.4, 0.3}, new double[] {10, 20, 40}));
  }

  /** The GPU is full while many run, and has nothing to do while few do. */
  @Test
  void examine_busyWhileMoreRun() {
    assertNoVerdict(check, unsteady(new double[] {0.99, 0.5, 0.4}, new double[] {40, 4, 12}));
  }
}
