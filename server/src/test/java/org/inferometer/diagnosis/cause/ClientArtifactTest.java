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

import org.assertj.core.data.Offset;
import org.inferometer.diagnosis.finding.Outcome;
import org.junit.jupiter.api.Test;

final class ClientArtifactTest {
  private static final ClientArtifact CHECK = new ClientArtifact();

  @Test
  void client_slowerThanGateway() {
    var world =
        engine()
            .replica("a:8000", replica())
            .gateway("edge", gateway(0.1, 4, 0))
            .client("load", client(3.1, 7, 0, 0.02))
            .build();
    var finding = found(CHECK, world);
    assertThat(finding).isNotNull();
    assertThat(finding.confidence()).isGreaterThan(0.8);
    assertThat(finding.effect().without()).isCloseTo(0.1, Offset.offset(0.01));
  }

  /** Its first tokens are those of requests that began later than those that have ended. */
  @Test
  void client_whoseTimesGrow() {
    var world =
        engine()
            .replica("a:8000", replica())
            .gateway("edge", gateway(0.1, 4, 0))
            .client("load", client(25, 16, 0, 0.02))
            .build();
    assertThat(confidence(CHECK, world)).isGreaterThan(0.8);
  }

  /** INC-03: no gateway, the engine's first token is a second, the client's two minutes. */
  @Test
  void client_slowerThanEngine() {
    var world =
        engine(8, 8, 1, 4)
            .replica("a:8000", replica())
            .client("load", client(97, 103, 0, 0.05))
            .build();
    assertThat(confidence(CHECK, world)).isGreaterThan(0.8);
  }

  /** What the gateway measures too isn't the client's. */
  @Test
  void gateway_asSlow() {
    var world =
        engine()
            .gateway("edge", gateway(26, 30, 0))
            .client("load", client(26, 30, 0, 0.02))
            .build();
    assertThat(found(CHECK, world)).isNull();
  }

  @Test
  void engine_asSlow() {
    var world = engine(8, 8, 26, 30).client("load", client(26, 30, 0, 0.02)).build();
    assertThat(found(CHECK, world)).isNull();
  }

  @Test
  void noClient_unknown() {
    assertThat(found(CHECK, well())).isNull();
    assertThat(outcomes(CHECK, engine().build()))
        .singleElement()
        .isInstanceOf(Outcome.Unknown.class);
  }
}
