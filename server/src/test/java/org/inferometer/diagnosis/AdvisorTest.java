package org.inferometer.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.diagnosis.finding.Action;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

class AdvisorTest {
  private static List<Action> next(ServiceWorld world, String cause) {
    Outcome.Found found = (Outcome.Found) Findings.found(cause, 0.9);
    return new Advisor(Advice.builtIn(), Flags.builtIn(), world).next(found.finding());
  }

  private static Worlds full(Worlds worlds) {
    return worlds
        .reading("prompt_length_mean", 1500)
        .reading("output_length_mean", 500)
        .reading("preemption_rate", 3, 0)
        .replica("a:8000", r -> r.reading("kv_capacity_tokens", 96_000));
  }

  @Test
  void fullCache_capsTheBatchAtWhatFits() {
    Action first = next(full(Worlds.vllm()).build(), "kv-exhaustion").getFirst();
    assertThat(first.action())
        .isEqualTo(
            "Let fewer requests run at once: --max-num-seqs 48 (today's value isn't told; by"
                + " default 1024 on GPUs of 70 GiB and more except A100, else 256).");
    assertThat(first.confirm()).isEqualTo("q(preemption_rate) falls to 0");
  }

  @Test
  void otherEngine_hasItsOwnFlag() {
    Action first = next(full(Worlds.sglang()).build(), "kv-exhaustion").getFirst();
    assertThat(first.action())
        .startsWith("Let fewer requests run at once: --max-running-requests 48");
  }

  @Test
  void flagThatAnEngineHasnt_isLeftOut() {
    assertThat(next(full(Worlds.tgi()).build(), "adapter-churn"))
        .noneMatch(action -> action.action().contains("slot:"));
  }

  @Test
  void capacity_proposesReplicasForAllArrivals() {
    Worlds worlds = Worlds.vllm().reading("request_start_rate", 12).reading("completed_rate", 8);
    for (String name : List.of("a:8000", "b:8000", "c:8000")) {
      worlds.replica(name, _ -> {});
    }
    assertThat(next(worlds.build(), "capacity").getFirst().action())
        .isEqualTo("Run 5 replicas (today 3).");
  }

  @Test
  void everyCause_hasAdvice() {
    for (Cause cause : Causes.builtIn().all()) {
      assertThat(Advice.builtIn().has(cause.id())).as(cause.id()).isTrue();
      for (Advice.Item item : Advice.builtIn().of(cause.id())) {
        String flag = item.flag();
        String propose = item.propose();
        assertThat(flag == null || !Flags.builtIn().get(flag).engines().isEmpty()).isTrue();
        assertThat(propose == null || Proposals.ALL.containsKey(propose)).as(propose).isTrue();
        assertThat(propose == null || item.value() != null).as(item.action()).isTrue();
      }
    }
  }

  @Test
  void noPlaceholder_isLeft() {
    for (Worlds worlds : List.of(Worlds.vllm(), Worlds.sglang(), Worlds.tgi())) {
      ServiceWorld world = full(worlds).build();
      for (Cause cause : Causes.builtIn().all()) {
        for (Action action : next(world, cause.id())) {
          assertThat(action.action()).doesNotContainPattern("\\{[a-z]+}");
          assertThat(action.confirm()).doesNotContainPattern("\\{(flag|today|proposed|where)}");
        }
      }
    }
  }

  @Test
  void profiles_speakTheEnginesWords() {
    List<Profiles.Profile> profiles = Profiles.of("vllm", full(Worlds.vllm()).build());
    assertThat(profiles)
        .extracting(Profiles.Profile::goal)
        .containsExactly("throughput", "latency", "memory", "balanced");
    assertThat(profiles.getFirst().lines().getFirst().flag()).isEqualTo("--max-num-seqs");
    assertThat(profiles.getFirst().lines().getFirst().value()).isEqualTo("48");
    assertThat(Profiles.of("sglang", null).getFirst().lines().getFirst().value())
        .isEqualTo("the engine's default");
  }
}
