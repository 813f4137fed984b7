package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineExamined.alone;
import static org.inferometer.diagnosis.cause.EngineExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.EngineExamined.assertRuledOut;
import static org.inferometer.diagnosis.cause.EngineExamined.queued;
import static org.inferometer.diagnosis.cause.EngineExamined.verdict;
import static org.inferometer.diagnosis.cause.EngineExamined.well;

import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class KvTransferBoundTest {
  private final KvTransferBound check = new KvTransferBound();

  private static Worlds slow(Worlds world) {
    return world
        .reading("kv_transfer_time_mean", 2, 0.019)
        .reading("kv_transfer_bandwidth", 3.3e8, 3.5e10);
  }

  @Test
  void examine_slowLink() {
    verdict(check, slow(well()).reading("ttft_p95", 4.7, 0.6).reading("ttft_mean", 1.3, 0.27));
  }

  @Test
  void examine_noBaseline() {
    verdict(
        check,
        alone()
            .reading("request_rate", 2)
            .reading("ttft_p95", 4.7)
            .reading("ttft_mean", 1.3)
            .reading("kv_transfer_time_mean", 2)
            .reading("kv_transfer_bandwidth", 3.3e8)
            .reading("kv_transfer_failure_rate", 0.1));
  }

  @Test
  void examine_linkHasRoom_queueBeforePrefill() {
    assertRuledOut(
        check,
        queued()
            .reading("kv_transfer_time_mean", 0.019, 0.019)
            .reading("kv_transfer_bandwidth", 3.5e10, 3.5e10));
  }

  @Test
  void examine_nobodyFeelsIt() {
    assertNoVerdict(check, well().reading("kv_transfer_time_mean", 0.03, 0.019));
  }

  @Test
  void examine_oneEngineDoesBoth() {
    assertRuledOut(check, queued());
  }
}
