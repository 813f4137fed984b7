package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.HardwareExamined.H100;
import static org.inferometer.diagnosis.cause.HardwareExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.HardwareExamined.assertUnknown;
import static org.inferometer.diagnosis.cause.HardwareExamined.gpu;
import static org.inferometer.diagnosis.cause.HardwareExamined.replica;
import static org.inferometer.diagnosis.cause.HardwareExamined.three;
import static org.inferometer.diagnosis.cause.HardwareExamined.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.world.Worlds;
import org.inferometer.signals.GpuEvent;
import org.junit.jupiter.api.Test;

final class HardwareFaultTest {
  private final HardwareFault check = new HardwareFault();

  private static Worlds xid(int code) {
    return three(g -> g.line("gpu_xid", code, 0, 0, 0, 0, 0, 0, code, code, code), r -> {});
  }

  @Test
  void examine_doubleBitError() {
    Finding finding = verdict(check, xid(48));
    assertEquals("n0/gpu0", finding.scope().gpu());
    assertTrue(finding.says().contains("Xid 48"), finding.says());
  }

  @Test
  void examine_linkFailed() {
    verdict(check, xid(74));
  }

  @Test
  void examine_programsFault() {
    assertNoVerdict(check, xid(31));
    assertNoVerdict(check, xid(13));
    assertNoVerdict(check, xid(43));
  }

  @Test
  void examine_xidOfLongAgo() {
    assertNoVerdict(check, three(g -> g.reading("gpu_xid", 48, 48), r -> {}));
  }

  @Test
  void examine_correctedErrors() {
    assertNoVerdict(check, three(g -> g.reading("gpu_ecc_corrected", 5, 0), r -> {}));
  }

  @Test
  void examine_uncorrectedErrors() {
    verdict(check, three(g -> g.reading("gpu_ecc_uncorrected", 1, 0), r -> {}));
  }

  @Test
  void examine_lanesLost() {
    verdict(check, three(g -> g.reading("gpu_pcie_width", 8, 16), r -> {}));
  }

  @Test
  void examine_gpuLost() {
    GpuEvent lost =
        new GpuEvent(
            Worlds.END_MS - 60_000, "dcgm/n0", "0", null, GpuEvent.Kind.LOST, "Gone.", null);
    verdict(
        check,
        Worlds.vllm()
            .gpu("n0", 0, "a:8000", H100, List.of(lost), gpu(g -> {}))
            .replica("a:8000", 0, null, replica(r -> {})));
  }

  @Test
  void examine_noGpus() {
    assertUnknown(check, Worlds.vllm().replica("a:8000", replica(r -> {})));
  }
}
