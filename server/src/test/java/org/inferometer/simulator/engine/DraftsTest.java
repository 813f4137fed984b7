package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.simulator.engine.EngineRig.MS;
import static org.inferometer.simulator.engine.EngineRig.config;

import org.inferometer.simulator.engine.EngineConfig.Speculation;
import org.inferometer.simulator.engine.EngineRig.Config;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.SegmentPrompt;
import org.junit.jupiter.api.Test;

/** Speculative decoding: fact 9 of the internals page. */
class DraftsTest {
  private static Config with(Speculation speculation, boolean async) {
    Config config = config();
    config.speculation = speculation;
    config.asyncScheduling = async;
    return config;
  }

  @Test
  void allKept_stepsBringAllDraftsAndOneMore() {
    for (boolean async : new boolean[] {false, true}) {
      EngineRig rig = with(new Speculation(3, 1, 1, 0, 0), async).rig();
      Request request = rig.add(10, 1 + 4 * 5);
      rig.runOut();
      assertThat(request.generated).isEqualTo(21);
      assertThat(request.lastTokenNs).as("async %s", async).isEqualTo(6 * MS);
      assertThat(rig.steps.get(1).decodeTokens()).isEqualTo(4);
      assertThat(rig.value(EngineQuantity.SPEC_DRAFTS)).isEqualTo(5);
      assertThat(rig.value(EngineQuantity.SPEC_DRAFT_TOKENS)).isEqualTo(15);
      assertThat(rig.value(EngineQuantity.SPEC_ACCEPTED_TOKENS)).isEqualTo(15);
      assertThat(rig.measures.distribution(EngineQuantity.ITL).count())
          .as("one for each output, not for each token")
          .isEqualTo(5);
    }
  }

  @Test
  void noneKept_stepsBringOneToken() {
    for (boolean async : new boolean[] {false, true}) {
      EngineRig rig = with(new Speculation(3, 0, 1, 0, 0), async).rig();
      Request request = rig.add(10, 6);
      rig.runOut();
      assertThat(request.generated).isEqualTo(6);
      assertThat(request.lastTokenNs).as("async %s", async).isEqualTo(6 * MS);
      assertThat(rig.value(EngineQuantity.SPEC_ACCEPTED_TOKENS)).isZero();
    }
  }

  @Test
  void acceptance_fallsFromPlaceToPlace() {
    EngineRig rig = with(new Speculation(3, 0.8, 0.9, 0, 0), false).rig();
    for (int i = 0; i < 50; i++) {
      rig.add(10, 400);
    }
    rig.runOut();
    double drafts = rig.value(EngineQuantity.SPEC_DRAFTS);
    assertThat(at(rig, 0) / drafts).isCloseTo(0.8, within(0.02));
    assertThat(at(rig, 1) / at(rig, 0)).isCloseTo(0.72, within(0.02));
    assertThat(at(rig, 2) / at(rig, 1)).isCloseTo(0.648, within(0.02));
    assertThat(at(rig, 0) + at(rig, 1) + at(rig, 2))
        .isEqualTo(rig.value(EngineQuantity.SPEC_ACCEPTED_TOKENS));
  }

  private static double at(EngineRig rig, int position) {
    return rig.measures.value(EngineQuantity.SPEC_ACCEPTED_AT, String.valueOf(position));
  }

  @Test
  void temperatureAndKnob_takeOffTheAcceptance() {
    assertThat(acceptance(0, 1)).isCloseTo(0.9, within(0.02));
    assertThat(acceptance(1, 1)).isCloseTo(0.6, within(0.02));
    assertThat(acceptance(0, 0.5)).isCloseTo(0.45, within(0.02));
  }

  private static double acceptance(double temperature, double factor) {
    EngineRig rig = with(new Speculation(1, 0.9, 1, 0.3, 0), false).rig();
    rig.knobs.set(Knob.ENGINE_ACCEPTANCE, factor);
    for (int i = 0; i < 50; i++) {
      rig.add(
          rig.request(
              SegmentPrompt.empty().then(i, 10), Integer.MAX_VALUE, 200, null, 0, temperature));
    }
    rig.runOut();
    return rig.value(EngineQuantity.SPEC_ACCEPTED_TOKENS)
        / rig.value(EngineQuantity.SPEC_DRAFT_TOKENS);
  }

  @Test
  void slotsAreKeptAhead() {
    EngineRig rig = with(new Speculation(4, 0, 1, 0, 0), false).rig();
    rig.add(12, 2);
    rig.agenda.runUntil(0);
    assertThat(rig.engine.cache().pool().used()).isEqualTo(1);
    rig.agenda.runUntil(MS);
    // 13 tokens, 4 drafts, and 4 slots for the next ones.
    assertThat(rig.engine.cache().pool().used()).isEqualTo(2);
  }

  @Test
  void drafting_costsItsShareOfADecodeStep() {
    EngineRig rig = with(new Speculation(4, 0, 1, 0, 0.05), false).rig();
    rig.add(12, 4);
    rig.runOut();
    // The first decode step shows how long one takes; from then on 4 times 5 % come on top.
    assertThat(rig.steps)
        .extracting(EngineRig.Step::extraNs)
        .containsExactly(0L, 0L, MS / 5, MS / 5);
  }

  @Test
  void longestAnswer_draftsNeverReachBeyondTheModel() {
    Config config = with(new Speculation(5, 1, 1, 0, 0), false);
    config.maxModelLen = 64;
    EngineRig rig = config.rig();
    Request request = rig.add(50, 100);
    rig.runOut();
    assertThat(request.generated).isEqualTo(14);
    assertThat(rig.engine.kvUsage()).isZero();
  }
}
