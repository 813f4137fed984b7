package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineExamined.alone;
import static org.inferometer.diagnosis.cause.EngineExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.EngineExamined.assertRuledOut;
import static org.inferometer.diagnosis.cause.EngineExamined.assertUnknown;
import static org.inferometer.diagnosis.cause.EngineExamined.queued;
import static org.inferometer.diagnosis.cause.EngineExamined.verdict;
import static org.inferometer.diagnosis.cause.EngineExamined.well;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.inferometer.diagnosis.finding.Finding;
import org.junit.jupiter.api.Test;

final class KvExhaustionTest {
  private final KvExhaustion check = new KvExhaustion();

  @Test
  void examine_fullAndPreempting() {
    Finding finding =
        verdict(
            check,
            queued()
                .reading("kv_usage_max", 0.98, 0.19, 0.88, 1)
                .reading("preemption_rate", 0.6, 0, 0, 0.8)
                .reading("running", 27, 11, 18, 39)
                .reading("prompt_length_mean", 2650, 1400));
    assertTrue(finding.effect().share() > 0.8, () -> finding.effect().toString());
  }

  @Test
  void examine_fullWithQueue_noBaseline() {
    verdict(
        check,
        alone()
            .reading("kv_usage_max", 0.99)
            .reading("preemption_rate", 0.5)
            .reading("request_rate", 2.6)
            .reading("ttft_p95", 36)
            .reading("ttft_mean", 11)
            .reading("queue_time_mean", 10)
            .reading("waiting", 100));
  }

  @Test
  void examine_oneReplicaOfThree() {
    Finding finding =
        verdict(
            check,
            queued()
                .replica("a:8000", r -> r.reading("kv_usage_max", 0.2, 0.2))
                .replica("b:8000", r -> r.reading("kv_usage_max", 0.3, 0.2))
                .replica(
                    "c:8000",
                    r ->
                        r.reading("kv_usage_max", 1, 0.2)
                            .reading("preemption_rate", 1, 0)
                            .reading("request_rate", 2)
                            .reading("waiting", 60, 0)
                            .reading("ttft_mean", 30, 0.1)
                            .reading("queue_time_mean", 28, 0)));
    assertEquals("c:8000", finding.scope().instance());
  }

  @Test
  void examine_wellFilled_nothingWaits() {
    assertRuledOut(check, well().reading("kv_usage_max", 0.82, 0.8, 0.7, 0.9));
  }

  @Test
  void examine_fullButNobodyFeelsIt() {
    assertNoVerdict(
        check,
        well().reading("kv_usage_max", 0.96, 0.9, 0.9, 0.99).reading("preemption_rate", 0.1, 0.1));
  }

  @Test
  void examine_noSignal() {
    assertUnknown(check, alone().reading("ttft_p95", 30).reading("waiting", 100));
  }
}
