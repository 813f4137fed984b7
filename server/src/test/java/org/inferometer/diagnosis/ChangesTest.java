package org.inferometer.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

class ChangesTest {
  private static List<Change> changes(Worlds worlds) {
    return new Changes(worlds.build(), Thresholds.builtIn()).ranked();
  }

  @Test
  void longerAnswers_carryTheTokensThatTheyAdd() {
    List<Change> changes =
        changes(
            Worlds.vllm()
                .reading("e2e_mean", 15, 5)
                .reading("output_length_mean", 700, 200)
                .reading("tpot_mean", 0.02, 0.02)
                .reading("decode_time_mean", 14.9, 4.9)
                .reading("request_start_rate", 5, 5));
    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().says()).isEqualTo("Answers: 700 tokens, were 200 tokens.");
    assertThat(changes.getFirst().share()).isCloseTo(1, within(1e-9));
  }

  @Test
  void lostHits_carryPrefillAndTheQueueThatFollows() {
    List<Change> changes =
        changes(
            Worlds.vllm()
                .reading("e2e_mean", 9, 5)
                .reading("prefill_time_mean", 1.2, 0.2)
                .reading("queue_time_mean", 3, 0)
                .reading("cached_prompt_share", 0.05, 0.7)
                .reading("request_start_rate", 5.7, 5));
    assertThat(changes.getFirst().says()).startsWith("Prompt tokens from cache: 5 %");
    assertThat(changes.getFirst().share()).isGreaterThan(0.9);
    assertThat(changes.get(1).share()).isLessThan(0.1);
  }

  @Test
  void releaseWithoutMoreLoad_canCarryEverything() {
    List<Change> changes =
        changes(
            Worlds.vllm()
                .reading("e2e_mean", 9, 5)
                .reading("decode_time_mean", 8.8, 4.8)
                .reading("request_start_rate", 5, 5)
                .happening(
                    new Happening(
                        Worlds.START_MS + Worlds.WINDOW_MS,
                        Happening.Kind.VERSION,
                        "a:8000",
                        "version",
                        "0.14",
                        "0.15",
                        "It runs 0.15 instead of 0.14.")));
    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().kind()).isEqualTo("version");
    assertThat(changes.getFirst().share()).isEqualTo(1);
  }

  @Test
  void withoutABaseline_nothingIsCompared() {
    assertThat(changes(Worlds.vllm().reading("e2e_mean", 9).withoutBaseline())).isEmpty();
  }
}
