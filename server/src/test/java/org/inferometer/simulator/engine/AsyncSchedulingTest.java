package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.simulator.engine.EngineRig.MS;
import static org.inferometer.simulator.engine.EngineRig.config;

import org.inferometer.simulator.engine.EngineRig.Config;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.SegmentPrompt;
import org.junit.jupiter.api.Test;

/** A step is planned before the one before it returns: fact 10 of the internals page. */
class AsyncSchedulingTest {
  private static EngineRig rig() {
    Config config = config();
    config.asyncScheduling = true;
    return config.rig();
  }

  @Test
  void steps_followEachOther() {
    EngineRig rig = rig();
    Request request = rig.add(100, 5);
    rig.runOut();
    assertThat(rig.steps)
        .extracting(EngineRig.Step::prefillTokens)
        .containsExactly(100, 0, 0, 0, 0);
    assertThat(rig.steps)
        .extracting(EngineRig.Step::beginNs)
        .containsExactly(0L, MS, 2 * MS, 3 * MS, 4 * MS);
    assertThat(request.generated).isEqualTo(5);
    assertThat(request.firstTokenNs).isEqualTo(MS);
    assertThat(request.lastTokenNs).isEqualTo(5 * MS);
  }

  @Test
  void stopByItself_takesPartInOneStepMore() {
    EngineRig rig = rig();
    Request request = rig.add(rig.request(SegmentPrompt.empty().then(1, 10), 5, 100, null, 0, 0));
    rig.runOut();
    assertThat(request.generated).isEqualTo(5);
    assertThat(request.lastTokenNs).isEqualTo(5 * MS);
    assertThat(rig.steps).hasSize(6);
    assertThat(rig.value(EngineQuantity.GENERATION_TOKENS)).isEqualTo(5);
    assertThat(rig.engine.kvUsage()).isZero();
  }

  @Test
  void cutAtItsLimit_isKnownBeforehand() {
    EngineRig rig = rig();
    rig.add(10, 5);
    rig.runOut();
    assertThat(rig.steps).hasSize(5);
  }

  @Test
  void arrival_isInTheStepAfterTheNext() {
    EngineRig rig = rig();
    rig.add(10, 50);
    rig.agenda.runUntil(5 * MS + MS / 2);
    Request late = rig.add(10, 1);
    rig.runOut();
    // Looked at when step 5 returns, while step 6 is on its way; step 7 computes it.
    assertThat(late.queuedNs).isEqualTo(6 * MS);
    assertThat(late.scheduledNs).isEqualTo(6 * MS);
    assertThat(late.firstTokenNs).isEqualTo(8 * MS);
  }

  @Test
  void drivenOutWhileAStepIsOnItsWay_keepsThatToken() {
    Config config = config();
    config.asyncScheduling = true;
    config.maxModelLen = 320;
    config.blocks = 1 + 21;
    EngineRig rig = config.rig();
    Request first = rig.add(159, 50);
    Request last = rig.add(159, 50);
    rig.runOut();
    assertThat(last.preemptions).isPositive();
    assertThat(first.generated).isEqualTo(50);
    assertThat(last.generated).isEqualTo(50);
    assertThat(rig.outputTokens).isEqualTo(100);
  }

  @Test
  void givenUpDuringAStep_bringsNothing() {
    EngineRig rig = rig();
    Request request = rig.add(10, 50);
    rig.agenda.runUntil(5 * MS + MS / 2);
    rig.engine.abort(request);
    rig.runOut();
    assertThat(request.generated).isEqualTo(5);
    assertThat(rig.engine.kvUsage()).isZero();
    assertThat(rig.value(EngineQuantity.KV_USAGE)).isZero();
    assertThat(rig.value(EngineQuantity.RUNNING)).isZero();
  }
}
