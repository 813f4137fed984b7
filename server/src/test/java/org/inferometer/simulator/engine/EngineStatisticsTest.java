package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.simulator.engine.EngineRig.MS;
import static org.inferometer.simulator.engine.EngineRig.config;

import org.inferometer.simulator.engine.EngineRig.Config;
import org.inferometer.simulator.measure.Distribution;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.SegmentPrompt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When things are counted, and as what: facts 8, 11 and 12 of the internals page. */
class EngineStatisticsTest {
  @Test
  void promptTokens_jumpWhenTheLastChunkReturns() {
    EngineRig rig = config().rig();
    rig.add(4000, 2);
    rig.agenda.runUntil(MS + MS / 2);
    assertThat(rig.value(EngineQuantity.PROMPT_TOKENS)).isZero();
    assertThat(rig.value(EngineQuantity.RUNNING)).as("from admission").isEqualTo(1);
    rig.agenda.runUntil(2 * MS);
    assertThat(rig.value(EngineQuantity.PROMPT_TOKENS)).isEqualTo(4000);
    assertThat(rig.value(EngineQuantity.GENERATION_TOKENS)).isEqualTo(1);
  }

  @Test
  void arrivalDuringAStep_isQueuedWhenItEnds() {
    EngineRig rig = config().rig();
    rig.add(10, 5);
    rig.agenda.runUntil(MS / 2);
    Request second = rig.add(10, 1);
    assertThat(rig.engine.waiting()).isEqualTo(1);
    rig.runOut();
    assertThat(second.queuedNs).isEqualTo(MS);
    assertThat(second.scheduledNs).isEqualTo(MS);
    assertThat(second.firstTokenNs).isEqualTo(2 * MS);
  }

  @Test
  void times_ofAFinishedRequest() {
    Config config = config();
    config.maxNumSeqs = 1;
    EngineRig rig = config.rig();
    rig.add(10, 4);
    rig.add(10, 3);
    rig.runOut();
    assertThat(sum(rig, EngineQuantity.QUEUE)).isCloseTo(0.004, within(1e-9));
    assertThat(sum(rig, EngineQuantity.PREFILL)).isCloseTo(0.002, within(1e-9));
    assertThat(sum(rig, EngineQuantity.DECODE)).isCloseTo(0.005, within(1e-9));
    assertThat(sum(rig, EngineQuantity.INFERENCE)).isCloseTo(0.007, within(1e-9));
    assertThat(sum(rig, EngineQuantity.TPOT)).isCloseTo(0.002, within(1e-9));
    assertThat(sum(rig, EngineQuantity.ITL)).isCloseTo(0.005, within(1e-9));
    assertThat(rig.measures.distribution(EngineQuantity.ITL).count()).isEqualTo(5);
  }

  @Test
  void preemption_isInNoQueueTime() {
    Config config = config();
    config.maxModelLen = 320;
    config.blocks = 1 + 21;
    EngineRig rig = config.rig();
    rig.add(159, 50);
    Request last = rig.add(159, 50);
    rig.runOut();
    assertThat(last.preemptions).isPositive();
    assertThat(sum(rig, EngineQuantity.QUEUE)).isZero();
    assertThat(rig.measures.distribution(EngineQuantity.QUEUE).count()).isEqualTo(2);
    assertThat(sum(rig, EngineQuantity.REQUEST_PREEMPTIONS)).isEqualTo(last.preemptions);
    assertThat(sum(rig, EngineQuantity.INFERENCE))
        .isCloseTo(
            sum(rig, EngineQuantity.PREFILL) + sum(rig, EngineQuantity.DECODE), within(1e-9));
  }

  @Test
  void singleToken_hasATimePerTokenOfZero() {
    EngineRig rig = config().rig();
    rig.add(10, 1);
    rig.runOut();
    Distribution tpot = rig.measures.distribution(EngineQuantity.TPOT);
    assertThat(tpot.count()).isEqualTo(1);
    assertThat(tpot.sum()).isZero();
  }

  @Test
  void stepThatOnlyMovesAPrefillOn_isNoIteration() {
    EngineRig rig = config().rig();
    rig.add(4000, 2);
    rig.runOut();
    Distribution iterations = rig.measures.distribution(EngineQuantity.ITERATION_TOKENS);
    assertThat(rig.steps).hasSize(3);
    assertThat(iterations.count()).isEqualTo(2);
    assertThat(iterations.sum()).isEqualTo(4000 + 2);
  }

  @ParameterizedTest
  @CsvSource({"0.21.0, 302", "0.22.0, 206"})
  void iterationTokens_withCachedOnesUntil022(String release, double sum) {
    Config config = config();
    config.release = release;
    EngineRig rig = config.rig();
    SegmentPrompt shared = SegmentPrompt.empty().then(42, 100);
    rig.add(rig.request(shared.then(1, 50), 1));
    rig.runOut();
    rig.add(rig.request(shared.then(2, 50), 1));
    rig.runOut();
    assertThat(sum(rig, EngineQuantity.ITERATION_TOKENS)).isEqualTo(sum);
  }

  @Test
  void sources_sumUpToThePrompts() {
    EngineRig rig = config().rig();
    SegmentPrompt shared = SegmentPrompt.empty().then(42, 97);
    rig.add(rig.request(shared, 1));
    rig.runOut();
    rig.add(rig.request(shared, 1));
    rig.runOut();
    assertThat(source(rig, "local_compute")).isEqualTo(98);
    assertThat(source(rig, "local_cache_hit")).isEqualTo(96);
    assertThat(source(rig, "external_kv_transfer")).isZero();
    assertThat(rig.value(EngineQuantity.PROMPT_TOKENS_CACHED)).isEqualTo(96);
    // All but the last token were there.
    assertThat(rig.value(EngineQuantity.PROMPT_TOKENS_RECOMPUTED)).isEqualTo(1);
  }

  @Test
  void idle_nothingMovesAndGaugesAreZero() {
    EngineRig rig = config().rig();
    rig.add(100, 5);
    rig.runOut();
    assertThat(rig.agenda.next()).as("nothing is to happen").isEqualTo(Long.MAX_VALUE);
    for (EngineQuantity gauge :
        new EngineQuantity[] {
          EngineQuantity.RUNNING, EngineQuantity.WAITING, EngineQuantity.KV_USAGE
        }) {
      assertThat(rig.value(gauge)).as("%s", gauge).isZero();
    }
  }

  @Test
  void gauges_moveWhenAStepReturns() {
    EngineRig rig = config().rig();
    rig.add(100, 5);
    rig.agenda.runUntil(MS / 2);
    assertThat(rig.engine.running()).isEqualTo(1);
    assertThat(rig.value(EngineQuantity.RUNNING)).isZero();
    assertThat(rig.value(EngineQuantity.PREFIX_QUERY_TOKENS)).isZero();
    rig.agenda.runUntil(MS);
    assertThat(rig.value(EngineQuantity.RUNNING)).isEqualTo(1);
    assertThat(rig.value(EngineQuantity.PREFIX_QUERY_TOKENS)).isEqualTo(100);
    assertThat(rig.value(EngineQuantity.KV_TOKENS)).isEqualTo(7 * 16);
    assertThat(rig.value(EngineQuantity.KV_TOKENS_MAX)).isEqualTo(2000 * 16);
  }

  @Test
  void finished_byReason() {
    EngineRig rig = config().rig();
    SegmentPrompt prompt = SegmentPrompt.empty().then(1, 10);
    rig.add(rig.request(prompt, 3, 5, null, 0, 0));
    rig.add(rig.request(prompt, 5, 3, null, 0, 0));
    Request dropped = rig.add(rig.request(prompt, 5, 5, null, 0, 0));
    rig.agenda.runUntil(MS);
    rig.engine.abort(dropped);
    rig.runOut();
    assertThat(rig.measures.value(EngineQuantity.FINISHED, "stop")).isEqualTo(1);
    assertThat(rig.measures.value(EngineQuantity.FINISHED, "length")).isEqualTo(1);
    assertThat(rig.measures.labelled(EngineQuantity.FINISHED)).hasSize(2);
    assertThat(rig.measures.distribution(EngineQuantity.REQUEST_GENERATION_TOKENS).sum())
        .isEqualTo(6);
    assertThat(rig.value(EngineQuantity.GENERATION_TOKENS)).isEqualTo(7);
    assertThat(sum(rig, EngineQuantity.REQUEST_PARAMS_MAX_TOKENS)).isEqualTo(8);
  }

  private static double source(EngineRig rig, String source) {
    return rig.measures.value(EngineQuantity.PROMPT_TOKENS_BY_SOURCE, source);
  }

  private static double sum(EngineRig rig, EngineQuantity quantity) {
    return rig.measures.distribution(quantity).sum();
  }
}
