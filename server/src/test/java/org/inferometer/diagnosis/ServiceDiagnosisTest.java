package org.inferometer.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.TelemetryProblem;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

class ServiceDiagnosisTest {
  private static final long START = Worlds.START_MS + Worlds.WINDOW_MS;

  private static Worlds slow() {
    return Worlds.vllm()
        .replica("a:8000", r -> r.reading("running", 20))
        .replica("b:8000", r -> r.reading("running", 20))
        .reading("request_rate", 5, 5)
        .reading("ttft_p95", 6.1, 0.6);
  }

  private static Diagnosis diagnose(ServiceWorld world, Outcome... outcomes) {
    return new ServiceDiagnosis(world, Thresholds.builtIn()).of(List.of(outcomes));
  }

  private static List<String> causes(Diagnosis diagnosis) {
    return diagnosis.verdicts().stream()
        .map(v -> v.follows() == null ? v.cause() : v.cause() + " < " + v.follows())
        .toList();
  }

  @Test
  void consequences_standAfterTheirRoot() {
    Diagnosis diagnosis =
        diagnose(
            slow().build(),
            Findings.found("gateway-timeout", 0.97),
            Findings.found("prefill-bound", 0.95),
            Findings.found("prefix-cache-loss", 0.85));
    assertThat(causes(diagnosis))
        .containsExactly(
            "prefix-cache-loss",
            "prefill-bound < prefix-cache-loss",
            "gateway-timeout < prefill-bound");
  }

  @Test
  void independentCauses_standBesideByWeight() {
    Diagnosis diagnosis =
        diagnose(
            slow().build(),
            Findings.of("client-artifact", 0.9, null, null, 0.1),
            Findings.of("adapter-churn", 0.85, null, null, 0.9));
    assertThat(causes(diagnosis)).containsExactly("adapter-churn", "client-artifact");
  }

  @Test
  void causeThatBeganClearlyLater_explainsNothing() {
    Diagnosis diagnosis =
        diagnose(
            slow().build(),
            Findings.at("power-throttle", 0.8, null, START + 200_000),
            Findings.at("prefill-bound", 0.95, null, START));
    assertThat(diagnosis.verdicts()).extracting(Verdict::follows).containsOnlyNulls();
  }

  @Test
  void causeThatIsMuchLessSure_explainsNothing() {
    Diagnosis diagnosis =
        diagnose(
            slow().build(),
            Findings.found("power-throttle", 0.61),
            Findings.found("decode-memory-bound", 0.97),
            Findings.found("prefill-bound", 0.97));
    assertThat(causes(diagnosis)).doesNotContain("prefill-bound < power-throttle");
  }

  @Test
  void causeThatCarriesLittle_explainsNothing() {
    Diagnosis diagnosis =
        diagnose(
            slow().build(),
            Findings.of("power-throttle", 0.9, null, null, 0.03),
            Findings.found("prefill-bound", 0.9));
    assertThat(causes(diagnosis).getFirst()).isEqualTo("prefill-bound");
  }

  @Test
  void whatTakesAReplicaOut_explainsWhateverItsShareIs() {
    Diagnosis diagnosis =
        diagnose(
            slow().build(),
            Findings.of("hardware-fault", 0.9, "a:8000", null, 0.03),
            Findings.of("engine-stuck", 0.99, "a:8000", null, 0.5),
            Findings.of("cold-start", 0.95, "a:8000", null, 0.5));
    assertThat(causes(diagnosis)).first().isEqualTo("hardware-fault");
    assertThat(diagnosis.verdicts()).filteredOn(v -> v.follows() == null).hasSize(1);
  }

  @Test
  void smallEffectOfWhatIsMeasured_isToldThoughNothingIsFelt() {
    ServiceWorld calm = Worlds.vllm().reading("request_rate", 5, 5).build();
    Outcome limit = Findings.of("power-throttle", 0.9, null, null, 0.15);
    assertThat(causes(diagnose(calm, limit))).containsExactly("power-throttle");
    Outcome less = Findings.of("power-throttle", 0.9, null, null, 0.05);
    assertThat(causes(diagnose(calm, less))).doesNotContain("power-throttle");
    Outcome inferred = Findings.of("frontend-cpu", 0.9, null, null, 0.15);
    assertThat(causes(diagnose(calm, inferred))).doesNotContain("frontend-cpu");
  }

  @Test
  void faultOfOneReplica_explainsTheService() {
    Diagnosis diagnosis =
        diagnose(
            slow().build(),
            Findings.at("slow-replica", 0.95, "a:8000", null),
            Findings.at("thermal-throttle", 0.9, "a:8000", null),
            Findings.found("gateway-timeout", 0.9));
    assertThat(causes(diagnosis))
        .containsExactly(
            "thermal-throttle",
            "slow-replica < thermal-throttle",
            "gateway-timeout < slow-replica");
  }

  @Test
  void faultOfOneReplica_doesNotExplainAnother() {
    Diagnosis diagnosis =
        diagnose(
            slow().build(),
            Findings.at("thermal-throttle", 0.9, "a:8000", null),
            Findings.at("slow-replica", 0.95, "b:8000", null));
    assertThat(diagnosis.verdicts()).extracting(Verdict::follows).containsOnlyNulls();
  }

  @Test
  void replicaThatIsGone_explainsItsPeers() {
    Diagnosis diagnosis =
        diagnose(
            slow().build(),
            Findings.at("hardware-fault", 0.9, "a:8000", null),
            Findings.at("kv-exhaustion", 0.95, "b:8000", null));
    assertThat(causes(diagnosis))
        .containsExactly("hardware-fault", "kv-exhaustion < hardware-fault");
  }

  @Test
  void findingThatNobodyFeels_isNoVerdict() {
    ServiceWorld well = Worlds.vllm().reading("request_rate", 5, 5).build();
    Diagnosis diagnosis = diagnose(well, Findings.found("power-throttle", 0.95));
    assertThat(diagnosis.state()).isEqualTo(Diagnosis.State.HEALTHY);
    assertThat(diagnosis.verdicts()).isEmpty();
    assertThat(diagnosis.ruledOut().getFirst().because()).contains("Users feel nothing");
  }

  @Test
  void faultInItself_isAVerdictWithoutASymptom() {
    ServiceWorld well = Worlds.vllm().reading("request_rate", 5, 5).build();
    Diagnosis diagnosis = diagnose(well, Findings.found("memory-leak", 0.9));
    assertThat(diagnosis.state()).isEqualTo(Diagnosis.State.DEGRADED);
    assertThat(diagnosis.summary()).contains("a process takes more and more host memory");
  }

  @Test
  void largeEffectWithoutABaseline_isAVerdict() {
    ServiceWorld well = Worlds.vllm().reading("request_rate", 5).build();
    Diagnosis diagnosis = diagnose(well, Findings.of("tp-straggler", 0.9, "a:8000", null, 0.5));
    assertThat(causes(diagnosis)).containsExactly("tp-straggler");
  }

  @Test
  void causeThatUsersFeel_standsBeforeAFaultThatTheyDont() {
    Diagnosis diagnosis =
        diagnose(
            slow().build(),
            Findings.found("length-truncation", 0.99),
            Findings.found("capacity", 0.7));
    assertThat(causes(diagnosis)).containsExactly("capacity", "length-truncation");
  }

  @Test
  void symptomsWithoutAVerdict_cantBeTold() {
    Diagnosis diagnosis =
        diagnose(
            slow().build(),
            Findings.found("capacity", 0.5),
            new Outcome.RuledOut("kv-exhaustion", "It is half empty.", List.of()),
            new Outcome.Unknown("host-cpu", "Hosts aren't measured.", List.of("host_cpu")));
    assertThat(diagnosis.state()).isEqualTo(Diagnosis.State.CANNOT_TELL);
    assertThat(diagnosis.summary())
        .isEqualTo(
            "Qwen3-32B: first token P95 is 6.1 s, was 600 ms; the cause can't be told; likeliest, by"
                + " 50 %: It is capacity; it isn't \"KV cache full\"; \"Host lacks CPU\" can't be told"
                + " from what is measured.");
  }

  @Test
  void symptomsWithAHintOnly_areToldWithIt() {
    Diagnosis diagnosis =
        diagnose(slow().build(), Findings.found("capacity", 0.5), Findings.found("host-cpu", 0.3));
    assertThat(diagnosis.state()).isEqualTo(Diagnosis.State.CANNOT_TELL);
    assertThat(diagnosis.verdicts()).isEmpty();
    assertThat(diagnosis.summary())
        .contains("the cause can't be told; likeliest, by 50 %: It is capacity;");
  }

  @Test
  void nothingKnown_cantBeTold() {
    assertThat(diagnose(Worlds.vllm().build()).state()).isEqualTo(Diagnosis.State.CANNOT_TELL);
  }

  @Test
  void oneLookAtGauges_isNotHealth() {
    Worlds gauges = Worlds.vllm().reading("running", 40).reading("waiting", 0);
    assertThat(diagnose(gauges.build()).state()).isEqualTo(Diagnosis.State.CANNOT_TELL);
    assertThat(diagnose(gauges.reading("output_token_rate", 800).build()).state())
        .isEqualTo(Diagnosis.State.HEALTHY);
  }

  @Test
  void whatHoldsForEachReplica_isRuledOutOnce() {
    Outcome makesTokens = new Outcome.RuledOut("engine-stuck", "Tokens are made.", List.of());
    Diagnosis diagnosis = diagnose(slow().build(), makesTokens, makesTokens);
    assertThat(diagnosis.ruledOut()).hasSize(1);
  }

  @Test
  void noTraffic_isAState() {
    ServiceWorld idle = Worlds.vllm().reading("request_rate", 0, 5).build();
    Diagnosis diagnosis = diagnose(idle, Findings.found("no-traffic", 0.9));
    assertThat(diagnosis.state()).isEqualTo(Diagnosis.State.NO_TRAFFIC);
  }

  @Test
  void healthyFinding_isTheVerdictIfNothingElseIs() {
    ServiceWorld well = Worlds.vllm().reading("request_rate", 5, 5).build();
    Diagnosis diagnosis = diagnose(well, Findings.found("healthy", 0.9));
    assertThat(causes(diagnosis)).containsExactly("healthy");
    assertThat(diagnosis.state()).isEqualTo(Diagnosis.State.HEALTHY);
  }

  @Test
  void symptomFarBeyondItsGoal_isCritical() {
    ServiceWorld world = slow().goal("ttft_p95", 1.2).build();
    Diagnosis diagnosis =
        diagnose(
            world,
            Findings.at("kv-exhaustion", 0.9, "a:8000", START),
            Findings.found("capacity", 0.8));
    assertThat(diagnosis.state()).isEqualTo(Diagnosis.State.CRITICAL);
    assertThat(diagnosis.summary())
        .isEqualTo(
            "Qwen3-32B: first token P95 is 6.1 s, 5.1 times its goal since 22:18 (UTC), because"
                + " the KV cache is full (a:8000); so more requests arrive than all replicas"
                + " together can serve.");
  }

  @Test
  void evidenceInDoubt_lowersConfidence() {
    ServiceWorld world =
        slow()
            .telemetry(
                new TelemetryProblem(
                    "frozen", "vllm/Qwen/Qwen3-32B", List.of("kv_usage_max"), "Old.", true))
            .build();
    Diagnosis diagnosis = diagnose(world, Findings.found("kv-exhaustion", 0.9));
    assertThat(diagnosis.verdicts().getFirst().finding().confidence()).isLessThan(0.8);
  }
}
