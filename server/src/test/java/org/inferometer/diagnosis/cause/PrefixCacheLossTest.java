package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineExamined.alone;
import static org.inferometer.diagnosis.cause.EngineExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.EngineExamined.assertRuledOut;
import static org.inferometer.diagnosis.cause.EngineExamined.queued;
import static org.inferometer.diagnosis.cause.EngineExamined.verdict;
import static org.inferometer.diagnosis.cause.EngineExamined.well;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class PrefixCacheLossTest {
  private final PrefixCacheLoss check = new PrefixCacheLoss();

  private static Worlds late(Worlds world) {
    return world
        .reading("ttft_p95", 4, 0.6)
        .reading("ttft_mean", 1.6, 0.3)
        .reading("prefill_time_mean", 1.4, 0.2);
  }

  @Test
  void examine_template_hitsGone() {
    Finding finding =
        verdict(
            check,
            late(well())
                .reading("cached_prompt_share", 0.05, 0.6)
                .reading("prefix_hit_share", 0.05, 0.6));
    assertTrue(finding.says().startsWith("Prompts don't begin alike"), finding::says);
    assertTrue(finding.effect().share() > 0.4, () -> finding.effect().toString());
  }

  @Test
  void examine_routing_someHitsLeft() {
    Worlds world =
        late(well())
            .reading("cached_prompt_share", 0.35, 0.83)
            .reading("prefix_hit_share", 0.35, 0.83);
    for (String name : new String[] {"a:8000", "b:8000"}) {
      world.replica(name, r -> r.reading("cached_prompt_share", 0.35, 0.83));
    }
    Finding finding = verdict(check, world);
    assertTrue(finding.says().contains("routing"), finding::says);
  }

  @Test
  void examine_off_noBaseline() {
    verdict(
        check,
        alone()
            .reading("request_rate", 1)
            .reading("ttft_p95", 12)
            .reading("ttft_mean", 5.9)
            .reading("queue_time_mean", 4)
            .reading("waiting", 5)
            .reading("prompt_length_mean", 4800)
            .reading("prompt_token_rate", 4600)
            .reading("output_token_rate", 160)
            .reading("cached_prompt_share", 0)
            .reading("prefix_hit_share", Double.NaN));
  }

  @Test
  void examine_oneReplicaFindsNothing() {
    Worlds world = late(well());
    for (String name : new String[] {"a:8000", "b:8000"}) {
      world.replica(name, r -> r.reading("cached_prompt_share", 0.7));
    }
    world.replica("c:8000", r -> r.reading("cached_prompt_share", 0.02));
    assertEquals("c:8000", verdict(check, world).scope().instance());
  }

  @Test
  void examine_longerPromptsFindAsMuch() {
    assertRuledOut(
        check,
        late(well())
            .reading("prompt_length_mean", 6400, 1400)
            .reading("prompt_token_rate", 19_200, 4200)
            .reading("cached_prompt_share", 0.153, 0.7)
            .reading("prefix_hit_share", 0.153, 0.7));
  }

  @Test
  void examine_lostButNobodyWaits() {
    assertNoVerdict(
        check,
        well()
            .reading("cached_prompt_share", 0.3, 0.8)
            .reading("prefix_hit_share", 0.3, 0.8)
            .reading("ttft_p95", 0.45, 0.2)
            .reading("ttft_mean", 0.2, 0.08));
  }

  /** Steps that compute prompts again make tokens late before first tokens are. */
  private static Worlds slowTokens(double requests) {
    return EngineExamined.onH100(
        well()
            .reading("request_rate", requests, requests)
            .reading("request_start_rate", requests, requests)
            .reading("prompt_length_mean", 3400, 3400)
            .reading("prompt_token_rate", requests * 3400, requests * 3400)
            .reading("cached_prompt_share", 0.05, 0.7)
            .reading("prefix_hit_share", 0.05, 0.7)
            .reading("ttft_p95", 0.6, 0.4)
            .reading("tpot_p95", 0.09, 0.024)
            .reading("tpot_mean", 0.045, 0.016),
        0.3,
        0.4);
  }

  @Test
  void examine_tokensWaitForWhatIsComputedAgain() {
    verdict(check, slowTokens(4));
  }

  @Test
  void examine_tokensAreLateAndLittleIsComputedAgain() {
    assertNoVerdict(check, slowTokens(0.5));
  }

  @Test
  void examine_randomPrompts() {
    assertRuledOut(
        check,
        queued()
            .reading("cached_prompt_share", 0.01, 0.01)
            .reading("prefix_hit_share", 0.01, 0.01));
  }

  @Test
  void examine_hitsOfPreemptedRequests() {
    assertRuledOut(
        check,
        queued()
            .reading("preemption_rate", 1, 0)
            .reading("cached_prompt_share", 0.96, 0)
            .reading("prefix_hit_share", 0.32, 0));
  }
}
