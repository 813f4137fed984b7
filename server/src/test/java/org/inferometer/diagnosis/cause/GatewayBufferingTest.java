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
import org.junit.jupiter.api.Test;

final class GatewayBufferingTest {
  private static final GatewayBuffering CHECK = new GatewayBuffering();

  @Test
  void firstToken_withTheLast() {
    var world =
        engine()
            .replica("a:8000", replica())
            .gateway("edge", gateway(3.95, 4, 0))
            .client("load", client(3.95, 4, 0, 0.0001))
            .build();
    var finding = found(CHECK, world);
    assertThat(finding).isNotNull();
    assertThat(finding.confidence()).isGreaterThan(0.9);
    assertThat(finding.effect().without()).isEqualTo(0.1);
  }

  /** Without an own measure of the gaps, and only at the gateway. */
  @Test
  void firstToken_atGatewayOnly() {
    var world = engine().gateway("edge", gateway(3.95, 4, 0)).build();
    assertThat(confidence(CHECK, world)).isGreaterThan(0.6);
  }

  /** Requests that wait before the engine take longer in all, not only to the first token. */
  @Test
  void firstToken_lateByWaiting() {
    var world = engine().gateway("edge", gateway(26, 29.9, 0)).build();
    assertThat(found(CHECK, world)).isNull();
  }

  /** First tokens are late and the last still to come: their gaps are those of the engine. */
  @Test
  void tokens_oneAfterTheOther() {
    var world = engine().client("load", client(3.95, 4, 0, 0.02)).build();
    assertThat(found(CHECK, world)).isNull();
  }

  /** Where prompts are all the work, the engine's own first token comes late in an answer. */
  @Test
  void engine_lateItself() {
    var world = engine(8, 8, 3.9, 4).gateway("edge", gateway(3.95, 4, 0)).build();
    assertThat(found(CHECK, world)).isNull();
  }

  /** Clients that don't stream have no first token. */
  @Test
  void clients_notStreaming() {
    var world =
        engine()
            .gateway("edge", g -> g.reading("request_rate", 8, 8).reading("e2e_mean", 4, 4))
            .build();
    assertThat(outcomes(CHECK, world)).singleElement().isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void nothing_held() {
    assertThat(found(CHECK, well())).isNull();
  }
}
