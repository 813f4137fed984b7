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

import java.util.function.Consumer;
import org.assertj.core.data.Offset;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class ConnectionSerialisedTest {
  private static final ConnectionSerialised CHECK = new ConnectionSerialised();

  private static Worlds pinned() {
    return engine().replica("a:8000", steady(16)).replica("b:8000", steady(16));
  }

  private static Consumer<Worlds.Things> steady(double running) {
    return r -> r.reading("running", running, running).reading("waiting", 0, 0);
  }

  @Test
  void gateway_countsItsQueue() {
    var world =
        pinned()
            .gateway("edge", g -> gateway(26, 30, 0).accept(g.reading("queue_time_mean", 25.5, 0)))
            .client("load", client(26, 30, 0, 0.02))
            .build();
    var finding = found(CHECK, world);
    assertThat(finding).isNotNull();
    assertThat(finding.confidence()).isGreaterThan(0.95);
    assertThat(finding.scope().instance()).isEqualTo("edge");
    assertThat(finding.effect().without()).isCloseTo(0.1, Offset.offset(0.2));
  }

  /** Only clients tell, and each replica runs one number of requests all the time. */
  @Test
  void clients_andPinnedReplicas() {
    assertThat(confidence(CHECK, pinned().client("load", client(26, 30, 0, 0.02)).build()))
        .isGreaterThan(0.6);
  }

  @Test
  void clients_andReplicasThatVary() {
    var world =
        engine().replica("a:8000", replica()).client("load", client(26, 30, 0, 0.02)).build();
    assertThat(confidence(CHECK, world)).isLessThan(0.6);
  }

  /** A quarter of a second is a distance if it was as much before, and a wait if it is new. */
  @Test
  void gateway_lateByLittle() {
    assertThat(confidence(CHECK, late(0.1))).isGreaterThan(0.6);
    assertThat(found(CHECK, late(0.35))).isNull();
  }

  private static ServiceWorld late(double before) {
    return pinned()
        .gateway(
            "edge",
            g ->
                gateway(0.35, 4.25, 0)
                    .andThen(
                        w ->
                            w.reading("ttft_mean", 0.35, before)
                                .reading("ttft_p95", 2, 0.15)
                                .reading("e2e_mean", 4.25, 3.9 + before)
                                .reading("queue_time_mean", 0.24, Math.max(0, before - 0.1)))
                    .accept(g))
        .client("load", client(0.35, 4.25, 0, 0.02))
        .build();
  }

  /** If they wait in the engine, it is the engine that is full. */
  @Test
  void engine_hasQueue() {
    var world = pinned().reading("waiting", 200, 0).gateway("edge", gateway(26, 30, 0)).build();
    assertThat(found(CHECK, world)).isNull();
  }

  /** Held-back answers come late and take no longer in all. */
  @Test
  void answers_heldBack() {
    assertThat(found(CHECK, pinned().gateway("edge", gateway(3.9, 4, 0)).build())).isNull();
  }

  /** A gateway that sends most of its requests elsewhere can't be held against this engine. */
  @Test
  void gateway_ofOtherTraffic() {
    var world =
        pinned()
            .gateway(
                "edge",
                g ->
                    g.reading("request_rate", 80, 80)
                        .reading("ttft_mean", 3, 3)
                        .reading("e2e_mean", 9, 9))
            .build();
    assertThat(found(CHECK, world)).isNull();
  }

  @Test
  void nothing_waits() {
    assertThat(found(CHECK, well())).isNull();
    assertThat(outcomes(CHECK, engine().build()))
        .singleElement()
        .isInstanceOf(Outcome.Unknown.class);
  }
}
