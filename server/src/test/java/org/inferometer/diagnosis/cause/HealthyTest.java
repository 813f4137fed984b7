package org.inferometer.diagnosis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.diagnosis.cause.OutsideWorlds.engine;
import static org.inferometer.diagnosis.cause.OutsideWorlds.found;
import static org.inferometer.diagnosis.cause.OutsideWorlds.outcomes;
import static org.inferometer.diagnosis.cause.OutsideWorlds.well;

import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.world.Worlds;
import org.junit.jupiter.api.Test;

final class HealthyTest {
  private static final Healthy CHECK = new Healthy();

  @Test
  void users_feelNothing() {
    var finding = found(CHECK, well());
    assertThat(finding).isNotNull();
    assertThat(finding.confidence()).isGreaterThan(0.8);
  }

  @Test
  void users_wait() {
    assertThat(outcomes(CHECK, engine(8, 8, 5, 9).build()))
        .singleElement()
        .isInstanceOf(Outcome.RuledOut.class);
  }

  @Test
  void requests_none() {
    assertThat(found(CHECK, Worlds.vllm().reading("request_rate", 0, 0).build())).isNull();
    assertThat(outcomes(CHECK, Worlds.vllm().build()))
        .singleElement()
        .isInstanceOf(Outcome.Unknown.class);
  }
}
