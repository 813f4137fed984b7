package org.inferometer.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.inferometer.diagnosis.finding.Check;
import org.junit.jupiter.api.Test;

class CausesTest {
  /** The ids that other programs may rely on. */
  private static final List<String> IDS =
      List.of(
          "no-traffic",
          "healthy",
          "capacity",
          "kv-exhaustion",
          "prefill-bound",
          "prefix-cache-loss",
          "decode-memory-bound",
          "decode-saturated",
          "decode-jitter",
          "spec-decode-losing",
          "frontend-cpu",
          "host-cpu",
          "gpu-cpu-sync",
          "gateway-timeout",
          "gateway-buffering",
          "client-artifact",
          "connection-serialised",
          "output-length",
          "length-truncation",
          "cold-start",
          "power-throttle",
          "thermal-throttle",
          "hardware-fault",
          "tp-straggler",
          "slow-replica",
          "load-imbalance",
          "adapter-churn",
          "kv-transfer-bound",
          "memory-leak",
          "oom-config",
          "engine-stuck",
          "telemetry-broken");

  private static final String ONE =
      """
      causes:
        - id: a
          title: A
          layer: engine
          because: a
          is: A.
          looks: []
          unlike: []
          leads_to: [%s]
        - id: b
          title: B
          layer: engine
          because: b
          is: B.
          looks: []
          unlike: []
          leads_to: [%s]
      """;

  @Test
  void everyId_isThere() {
    assertThat(Causes.builtIn().all())
        .extracting(Cause::id)
        .containsExactlyInAnyOrderElementsOf(IDS);
  }

  @Test
  void everyCause_saysHowItLooksAndWhatItIsTakenFor() {
    for (Cause cause : Causes.builtIn().all()) {
      assertThat(cause.looks()).as(cause.id()).isNotEmpty();
      assertThat(cause.unlike()).as(cause.id()).isNotEmpty();
      assertThat(cause.sources()).as(cause.id()).isNotEmpty();
      assertThat(cause.because()).as(cause.id()).doesNotEndWith(".");
    }
  }

  @Test
  void everyCheck_looksForAKnownCause() {
    for (Check check : Checks.ALL) {
      assertThat(Causes.builtIn().get(check.cause()).id()).isEqualTo(check.cause());
    }
  }

  @Test
  void consequences_reachOverOthers() {
    Causes causes = Causes.builtIn();
    assertThat(causes.leadsTo("power-throttle", "gateway-timeout")).isTrue();
    assertThat(causes.leadsTo("memory-leak", "capacity")).isTrue();
    assertThat(causes.leadsTo("capacity", "power-throttle")).isFalse();
  }

  @Test
  void circle_isRefused() {
    assertThatThrownBy(() -> Causes.parse("c.yaml", ONE.formatted("b", "a")))
        .hasMessageContaining("a leads to itself");
  }

  @Test
  void unknownId_isRefused() {
    assertThatThrownBy(() -> Causes.parse("c.yaml", ONE.formatted("b", "c")))
        .hasMessageContaining("b names \"c\"");
  }
}
