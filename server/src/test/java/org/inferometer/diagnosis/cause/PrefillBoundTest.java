package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineExamined.alone;
import static org.inferometer.diagnosis.cause.EngineExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.EngineExamined.assertRuledOut;
import static org.inferometer.diagnosis.cause.EngineExamined.onH100;
import static org.inferometer.diagnosis.cause.EngineExamined.queued;
import static org.inferometer.diagnosis.cause.EngineExamined.verdict;
import static org.inferometer.diagnosis.cause.EngineExamined.well;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class PrefillBoundTest {
  private final PrefillBound check = new PrefillBound();

  private static Worlds longPrompts(Worlds world) {
    return world
        .reading("prompt_length_mean", 6400, 1400)
        .reading("cached_prompt_share", 0.15, 0.7)
        .reading("prompt_token_rate", 19_000, 4200)
        .reading("output_token_rate", 27, 27)
        .reading("step_rate", 4.3, 26);
  }

  @Test
  void examine_stepsFullOfPrompts() {
    verdict(check, longPrompts(queued()));
  }

  @Test
  void examine_operationsOfTheGpus() {
    assertTrue(
        verdict(check, onH100(longPrompts(queued()), 0.5, 0.2)).evidence().stream()
            .anyMatch(e -> e.signal().equals("prefill_flops_share")));
  }

  /** One prompt at a time, for nine tenths of the time: the next waits as long as it takes. */
  @Test
  void examine_promptsWaitForOneAnother() {
    assertTrue(verdict(check, onH100(oneByOne(0.75), 0.4, 0.2)).confidence() > 0.6);
    assertRuledOut(check, onH100(oneByOne(0.1), 0.4, 0.2));
  }

  private static Worlds oneByOne(double queue) {
    return longPrompts(well())
        .reading("request_rate", 1.3, 3)
        .reading("request_start_rate", 1.3, 3)
        .reading("output_length_mean", 3, 3)
        .reading("output_token_rate", 4, 9)
        .reading("ttft_p95", 3, 0.2)
        .reading("ttft_mean", 0.7 + queue, 0.08)
        .reading("prefill_time_mean", 0.65, 0.046)
        .reading("queue_time_mean", queue, 0)
        .reading("waiting", 0.4, 0);
  }

  /** Prompts share the steps with as many that decode as take as long: the number is the matter. */
  @Test
  void examine_sixTimesTheSameRequests() {
    assertNoVerdict(
        check,
        onH100(
            queued()
                .reading("request_rate", 20, 3)
                .reading("request_start_rate", 20, 3)
                .reading("prompt_token_rate", 66_000, 4200)
                .reading("cached_prompt_share", 0.68, 0.7)
                .reading("running", 400, 11)
                .reading("output_token_rate", 2500, 711)
                .reading("step_rate", 8, 64),
            0.5,
            0.2));
  }

  @Test
  void examine_noQueue_promptsShareTheSteps() {
    verdict(
        check,
        longPrompts(well())
            .reading("ttft_p95", 3, 0.2)
            .reading("ttft_mean", 1.2, 0.08)
            .reading("prefill_time_mean", 1.1, 0.046));
  }

  @Test
  void examine_incident04_noBaseline() {
    verdict(
        check,
        alone()
            .reading("request_rate", 7.4)
            .reading("ttft_p95", 20)
            .reading("ttft_mean", 10)
            .reading("prompt_length_mean", 6000)
            .reading("prompt_token_rate", 44_000)
            .reading("cached_prompt_share", 0)
            .reading("output_token_rate", 15)
            .reading("step_rate", 1)
            .reading("running", 20, Double.NaN, 18, 23)
            .reading("waiting", 60, Double.NaN, 10, 130)
            .reading("kv_usage_max", 0.32)
            .reading("preemption_rate", 0));
  }

  @Test
  void examine_longPromptsThatNobodyWaitsFor() {
    assertRuledOut(
        check,
        longPrompts(well())
            .reading("request_rate", 0.6, 0.6)
            .reading("request_start_rate", 0.6, 0.6)
            .reading("ttft_p95", 0.8, 0.2)
            .reading("ttft_mean", 0.5, 0.08)
            .reading("prefill_time_mean", 0.45, 0.046));
  }

  @Test
  void examine_queueOfShortPrompts() {
    assertRuledOut(check, queued());
  }
}
