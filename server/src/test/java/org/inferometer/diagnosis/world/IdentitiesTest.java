package org.inferometer.diagnosis.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class IdentitiesTest {
  @Test
  void totalTime_leavesTheFrontEnd() {
    ServiceWorld world =
        Worlds.vllm()
            .reading("e2e_mean", 10, 5)
            .reading("queue_time_mean", 1, 0)
            .reading("prefill_time_mean", 1, 1)
            .reading("decode_time_mean", 4, 3.9)
            .build();
    Identity total = Identities.of(world, "e2e");
    assertThat(total.residual()).isCloseTo(4, within(1e-9));
    assertThat(total.residualShare()).isCloseTo(0.4, within(1e-9));
    assertThat(total.residualBefore()).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void computedPrompt_leavesWhatWasComputedAgain() {
    ServiceWorld world =
        Worlds.vllm()
            .reading("tokens_per_step_mean", 300)
            .reading("step_rate", 40)
            .reading("output_token_rate", 2000)
            .reading("prompt_token_rate", 10_000)
            .reading("cached_prompt_share", 0.5)
            .build();
    assertThat(Identities.of(world, "prompt").residual()).isCloseTo(5000, within(1e-6));
  }

  @Test
  void gateway_holdsWhatTheEngineHasnt() {
    ServiceWorld world =
        Worlds.vllm()
            .reading("running", 4)
            .gateway("edge", g -> g.reading("request_rate", 10).reading("e2e_mean", 3))
            .build();
    assertThat(Identities.of(world, "in_flight:gateway/edge").residual())
        .isCloseTo(26, within(1e-9));
  }

  @Test
  void unmeasured_isLeftOut() {
    assertThat(Identities.of(Worlds.vllm().build())).isEmpty();
    assertThat(Identities.of(Worlds.vllm().build(), "e2e").isKnown()).isFalse();
  }
}
