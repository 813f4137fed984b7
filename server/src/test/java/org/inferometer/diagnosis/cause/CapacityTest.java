package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineExamined.alone;
import static org.inferometer.diagnosis.cause.EngineExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.EngineExamined.assertRuledOut;
import static org.inferometer.diagnosis.cause.EngineExamined.queued;
import static org.inferometer.diagnosis.cause.EngineExamined.verdict;
import static org.inferometer.diagnosis.cause.EngineExamined.well;

import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class CapacityTest {
  private final Capacity check = new Capacity();

  private static Worlds more() {
    return queued()
        .reading("request_rate", 11, 3)
        .reading("request_start_rate", 11, 3)
        .reading("prompt_token_rate", 15_400, 4200)
        .reading("output_token_rate", 2600, 711)
        .reading("step_rate", 40, 64)
        .reading("running", 64, 11, 62, 64);
  }

  @Test
  void examine_moreOfTheSame() {
    verdict(check, more());
  }

  @Test
  void examine_seatsBind_noBaseline() {
    verdict(
        check,
        alone()
            .reading("request_rate", 11)
            .reading("ttft_p95", 36)
            .reading("ttft_mean", 17)
            .reading("waiting", 600, Double.NaN, 400, 1000)
            .reading("running", 64, Double.NaN, 63, 64)
            .reading("kv_usage_max", 0.2)
            .reading("preemption_rate", 0)
            .reading("prompt_token_rate", 15_400)
            .reading("cached_prompt_share", 0.7)
            .reading("output_token_rate", 2600)
            .reading("step_rate", 40));
  }

  @Test
  void examine_blocksBind() {
    assertNoVerdict(check, more().reading("kv_usage_max", 0.99, 0.2));
  }

  @Test
  void examine_noMoreIsAsked() {
    assertNoVerdict(check, queued().reading("running", 64, 11, 62, 64));
  }

  @Test
  void examine_promptsFillTheSteps() {
    assertNoVerdict(
        check,
        more()
            .reading("prompt_token_rate", 60_000, 4200)
            .reading("prompt_length_mean", 7000, 1400)
            .reading("cached_prompt_share", 0.1, 0.7)
            .reading("step_rate", 20, 64));
  }

  @Test
  void examine_oneReplicaQueues() {
    assertNoVerdict(
        check,
        more()
            .replica("a:8000", r -> r.reading("waiting", 0).reading("request_rate", 1))
            .replica(
                "b:8000",
                r ->
                    r.reading("waiting", 107)
                        .reading("request_rate", 1)
                        .reading("ttft_mean", 20)
                        .reading("queue_time_mean", 19)));
  }

  @Test
  void examine_nothingWaits() {
    assertRuledOut(check, well().reading("request_rate", 6, 3));
  }
}
