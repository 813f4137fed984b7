package org.inferometer.diagnosis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.diagnosis.cause.OutsideWorlds.confidence;
import static org.inferometer.diagnosis.cause.OutsideWorlds.engine;
import static org.inferometer.diagnosis.cause.OutsideWorlds.found;
import static org.inferometer.diagnosis.cause.OutsideWorlds.gateway;
import static org.inferometer.diagnosis.cause.OutsideWorlds.outcomes;
import static org.inferometer.diagnosis.cause.OutsideWorlds.replica;
import static org.inferometer.diagnosis.cause.OutsideWorlds.well;

import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class ColdStartTest {
  private static final ColdStart CHECK = new ColdStart();

  private static Happening restart(String instance, long secondsBeforeEnd) {
    return new Happening(
        Worlds.END_MS - secondsBeforeEnd * 1000,
        Happening.Kind.RESTART,
        instance,
        "",
        null,
        null,
        instance + " started again.");
  }

  private static Worlds fleet(double failing) {
    return engine()
        .replica("a:8000", replica())
        .replica("b:8000", replica())
        .gateway("edge", gateway(0.1, 4, failing));
  }

  @Test
  void replicas_startTogetherAndRequestsFail() {
    var world =
        fleet(0.4).happening(restart("a:8000", 120)).happening(restart("b:8000", 118)).build();
    var finding = found(CHECK, world);
    assertThat(finding).isNotNull();
    assertThat(finding.confidence()).isGreaterThan(0.8);
    assertThat(finding.onsetMs()).isEqualTo(Worlds.END_MS - 120_000);
  }

  /** A rolling deploy that nobody feels. */
  @Test
  void replicas_startUnnoticed() {
    var world = fleet(0).happening(restart("a:8000", 240)).happening(restart("b:8000", 60)).build();
    assertThat(outcomes(CHECK, world)).singleElement().isInstanceOf(Outcome.RuledOut.class);
  }

  /** What starts again and again has a reason of its own. */
  @Test
  void replica_startsAgainAndAgain() {
    var world =
        fleet(0.1)
            .happening(restart("a:8000", 240))
            .happening(restart("a:8000", 120))
            .happening(restart("a:8000", 20))
            .build();
    assertThat(confidence(CHECK, world)).isLessThan(0.6);
  }

  @Test
  void replicas_keptRunning() {
    assertThat(found(CHECK, fleet(0.4).build())).isNull();
    assertThat(found(CHECK, well())).isNull();
  }
}
