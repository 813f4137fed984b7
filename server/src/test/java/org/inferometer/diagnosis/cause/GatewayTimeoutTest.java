package org.inferometer.diagnosis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.diagnosis.cause.OutsideWorlds.client;
import static org.inferometer.diagnosis.cause.OutsideWorlds.confidence;
import static org.inferometer.diagnosis.cause.OutsideWorlds.engine;
import static org.inferometer.diagnosis.cause.OutsideWorlds.found;
import static org.inferometer.diagnosis.cause.OutsideWorlds.gateway;
import static org.inferometer.diagnosis.cause.OutsideWorlds.outcomes;
import static org.inferometer.diagnosis.cause.OutsideWorlds.replica;
import static org.inferometer.diagnosis.cause.OutsideWorlds.well;

import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class GatewayTimeoutTest {
  private static final GatewayTimeout CHECK = new GatewayTimeout();

  /** 20 % of the requests end after 5 s; the others take 2.5 s, since the long ones are missing. */
  private static Worlds cut() {
    return engine(8, 6.4, 0.1, 2.5).replica("a:8000", replica()).replica("b:8000", replica());
  }

  @Test
  void failures_longerThanAnswers() {
    var world =
        cut()
            .gateway("edge", gateway(0.1, 2.5, 0.2))
            .client("load", client(0.1, 3, 0.2, 0.02))
            .build();
    var finding = found(CHECK, world);
    assertThat(finding).isNotNull();
    assertThat(finding.confidence()).isGreaterThan(0.95);
    assertThat(finding.scope().instance()).isEqualTo("edge");
    assertThat(finding.evidence())
        .anySatisfy(e -> assertThat(e.signal()).isEqualTo("failed_e2e_mean"));
    assertThat(finding.effect().value()).isEqualTo(0.2);
  }

  /** Without clients nobody times failures, and the missing tail has to tell. */
  @Test
  void failures_ofGatewayAlone() {
    assertThat(confidence(CHECK, cut().gateway("edge", gateway(0.1, 2.5, 0.2)).build()))
        .isGreaterThan(0.7);
  }

  @Test
  void failures_refusedAtOnce() {
    var world =
        engine(6.4, 6.4, 0.1, 4)
            .gateway("edge", gateway(0.1, 4, 0.2))
            .client("load", client(0.1, 3.2, 0.2, 0.02))
            .build();
    assertThat(outcomes(CHECK, world)).singleElement().isInstanceOf(Outcome.RuledOut.class);
  }

  /**
   * Seed 003, case 3: P99 stands at a minute, P50 is well, 15 % are aborted; no gateway is seen.
   */
  @Test
  void p99_fixedWithAborts() {
    var world =
        Worlds.vllm()
            .reading("request_rate", 4)
            .reading("request_start_rate", 4)
            .reading("abort_share", 0.15)
            .reading("error_share", 0.15)
            .reading("e2e_p50", 8)
            .reading("e2e_p95", 58)
            .reading("e2e_p99", 60)
            .reading("running", 40)
            .reading("waiting", 0)
            .withoutBaseline()
            .build();
    assertThat(confidence(CHECK, world)).isGreaterThan(0.6);
  }

  /** People press stop: they do so at any time, so that no percentile stands still. */
  @Test
  void aborts_atAnyTime() {
    var world =
        engine()
            .reading("abort_share", 0.08, 0.08)
            .line("e2e_p99", 16, 16, OutsideWorlds.wave(16))
            .build();
    assertThat(confidence(CHECK, world)).isLessThan(0.6);
  }

  /** One of twenty that isn't seen to end, where nothing before the engine is watched. */
  @Test
  void oneRequest_vanished() {
    assertThat(confidence(CHECK, vanishing(0.05))).isLessThan(0.6);
    assertThat(confidence(CHECK, vanishing(5))).isGreaterThan(0.6);
  }

  private static ServiceWorld vanishing(double rate) {
    return Worlds.vllm()
        .reading("request_start_rate", 1.1 * rate, 1.5)
        .reading("request_rate", rate, 1.5)
        .reading("abort_share", 0, 0)
        .reading("error_share", 0, 0)
        .reading("e2e_p99", 9, 19)
        .reading("running", 0.3, 0.3)
        .build();
  }

  @Test
  void nothing_fails() {
    assertThat(found(CHECK, well())).isNull();
  }

  /** A replica that is gone fails requests as well. */
  @Test
  void failures_replicaGone() {
    var world =
        engine()
            .replica("a:8000", 0.2, null, replica())
            .gateway("edge", gateway(0.1, 4, 0.3))
            .build();
    assertThat(confidence(CHECK, world)).isLessThan(0.5);
  }
}
