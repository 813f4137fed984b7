package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.simulator.engine.EngineRig.MS;
import static org.inferometer.simulator.engine.EngineRig.config;

import org.inferometer.simulator.engine.EngineRig.Config;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.request.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineKnobsTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stuck_noStepEndsUntilItIsTurnedBack(boolean async) {
    Config config = config();
    config.asyncScheduling = async;
    EngineRig rig = config.rig();
    Request request = rig.add(10, 10);
    rig.agenda.runUntil(3 * MS);
    rig.knobs.set(Knob.ENGINE_STUCK, 1);
    rig.agenda.runUntil(1000 * MS);
    rig.add(10, 10);
    assertThat(request.generated).isEqualTo(3);
    assertThat(rig.value(EngineQuantity.RUNNING)).as("frozen").isEqualTo(1);
    assertThat(rig.value(EngineQuantity.WAITING)).as("frozen").isZero();
    rig.knobs.set(Knob.ENGINE_STUCK, 0);
    rig.runOut();
    assertThat(request.generated).isEqualTo(10);
    assertThat(request.lastTokenNs).isEqualTo(1006 * MS);
  }

  @Test
  void stall_comesEverySoOften() {
    EngineRig rig = config().rig();
    rig.knobs.set(Knob.ENGINE_STALL, 0.5);
    rig.knobs.set(Knob.ENGINE_STALL_EVERY, 0.01);
    Request request = rig.add(10, 25);
    rig.runOut();
    // Before the first step, and after 10 steps each.
    assertThat(request.firstTokenNs).isEqualTo(501 * MS);
    assertThat(request.lastTokenNs).isEqualTo(3 * 500 * MS + 25 * MS);
    assertThat(rig.measures.distribution(EngineQuantity.ITL).sum())
        .isCloseTo(2 * 0.5 + 24 * 0.001, org.assertj.core.api.Assertions.within(1e-9));
  }

  @Test
  void stepThatNeverEnds_endsTheEngine() {
    EngineRig rig = config().rig();
    rig.stepNs = StepTimer.NEVER;
    Request request = rig.add(10, 25);
    rig.runOut();
    rig.engine.abort(request);
    rig.runOut();
    assertThat(rig.engine.running()).as("nobody looks").isEqualTo(1);
    assertThat(request.generated).isZero();
  }

  @Test
  void sameSeed_sameMeasures() {
    assertThat(fingerprint(5)).isEqualTo(fingerprint(5)).isNotEqualTo(fingerprint(6));
  }

  private static String fingerprint(long seed) {
    Config config = config();
    config.speculation = new EngineConfig.Speculation(3, 0.7, 0.9, 0.2, 0.1);
    config.blocks = 1 + 256;
    config.asyncScheduling = true;
    EngineRig rig = new EngineRig(config.make(), seed);
    for (int i = 0; i < 40; i++) {
      rig.add(100 + i * 7, 50 + i);
    }
    rig.runOut();
    StringBuilder text = new StringBuilder();
    for (EngineQuantity quantity : EngineQuantity.values()) {
      text.append(quantity.id()).append(' ').append(rig.value(quantity)).append('\n');
    }
    return text.append(rig.agenda.now()).toString();
  }
}
