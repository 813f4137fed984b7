package org.inferometer.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

class SentenceTest {
  private static String symptom(Worlds world) {
    ServiceWorld service = world.build();
    return Sentence.symptom(service.symptoms().all().getFirst());
  }

  @Test
  void symptom_later() {
    assertThat(symptom(Worlds.vllm().reading("ttft_p95", 2, 0.5).reading("ttft_mean", 1, 0.2)))
        .isEqualTo("first token P95 is 2 s, was 500 ms");
  }

  @Test
  void symptom_fewer() {
    assertThat(symptom(Worlds.vllm().reading("request_rate", 0, 10)))
        .startsWith("the rate of requests is 0")
        .contains(", was 10");
  }
}
