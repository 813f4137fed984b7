package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.inferometer.simulator.engine.EngineRig.MS;
import static org.inferometer.simulator.engine.EngineRig.config;

import java.util.List;
import org.inferometer.simulator.engine.EngineRig.Config;
import org.inferometer.simulator.engine.EngineRig.Step;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Finish;
import org.inferometer.simulator.request.SegmentPrompt;
import org.junit.jupiter.api.Test;

/** What a step computes, and whose turn it is: facts 1, 2, 3, 4, 6 and 7 of the internals page. */
class SchedulerTest {
  @Test
  void prompt_withinBudget_isOneStepAndEachTokenAnother() {
    EngineRig rig = config().rig();
    Request request = rig.add(100, 4);
    rig.runOut();
    assertThat(rig.steps).extracting(Step::prefillTokens).containsExactly(100, 0, 0, 0);
    assertThat(rig.steps).extracting(Step::decodeTokens).containsExactly(0, 1, 1, 1);
    assertThat(request.generated).isEqualTo(4);
    assertThat(request.lastTokenNs).isEqualTo(4 * MS);
  }

  @Test
  void prompt_beyondBudget_isCutIntoChunks() {
    EngineRig rig = config().rig();
    rig.add(3000, 2);
    rig.runOut();
    assertThat(rig.steps).extracting(Step::prefillTokens).containsExactly(2048, 952, 0);
  }

  @Test
  void decodes_beforePrefill_takeTheirTokensFromTheBudget() {
    EngineRig rig = config().rig();
    rig.add(16, 10);
    rig.agenda.runUntil(2 * MS);
    rig.add(4000, 1);
    rig.runOut();
    assertThat(rig.steps.get(3)).isEqualTo(new Step(3 * MS, 2047, 1, 2, 0));
    assertThat(rig.steps.get(4)).isEqualTo(new Step(4 * MS, 1953, 1, 2, 0));
  }

  @Test
  void prefillHalfDone_beforeNewOnes() {
    Config config = config();
    config.longPrefillTokenThreshold = 1000;
    config.maxNumBatchedTokens = 1500;
    EngineRig rig = config.rig();
    Request first = rig.add(3000, 1);
    Request second = rig.add(3000, 1);
    rig.runOut();
    // 1000 of the first each time, what is left for the second.
    assertThat(rig.steps)
        .extracting(Step::prefillTokens)
        .containsExactly(1500, 1500, 1500, 1000, 500);
    assertThat(first.firstTokenNs).isEqualTo(3 * MS);
    assertThat(second.firstTokenNs).isEqualTo(5 * MS);
  }

  @Test
  void chunkedPrefillOff_promptsAreWhole() {
    Config config = config();
    config.chunkedPrefill = false;
    EngineRig rig = config.rig();
    rig.add(3000, 1);
    rig.add(2000, 1);
    rig.runOut();
    // The budget is as large as the longest request; the second doesn't fit beside the first.
    assertThat(rig.steps).extracting(Step::prefillTokens).containsExactly(3000, 2000);
  }

  @Test
  void seatsTaken_othersWait() {
    Config config = config();
    config.maxNumSeqs = 2;
    EngineRig rig = config.rig();
    rig.add(10, 3);
    rig.add(10, 5);
    Request third = rig.add(10, 1);
    rig.agenda.runUntil(0);
    assertThat(rig.engine.running()).isEqualTo(2);
    assertThat(rig.engine.waiting()).isEqualTo(1);
    rig.runOut();
    assertThat(third.scheduledNs).isEqualTo(3 * MS);
  }

  @Test
  void firstInLineDoesNotFit_thoseBehindItWaitToo() {
    Config config = config();
    config.maxModelLen = 320;
    config.blocks = 1 + 20;
    EngineRig rig = config.rig();
    Request holder = rig.add(160, 20);
    rig.agenda.runUntil(0);
    Request large = rig.add(200, 1);
    Request small = rig.add(16, 1);
    rig.runOut();
    assertThat(large.scheduledNs).isEqualTo(holder.lastTokenNs);
    assertThat(small.scheduledNs).isGreaterThanOrEqualTo(large.scheduledNs);
  }

  @Test
  void wholePromptReserved_admissionAsksForAllOfIt() {
    for (boolean reserve : new boolean[] {true, false}) {
      Config config = config();
      config.reserveFullPrompt = reserve;
      config.maxModelLen = 1600;
      config.blocks = 1 + 100;
      config.maxNumBatchedTokens = 160;
      EngineRig rig = config.rig();
      rig.add(160, 1000);
      rig.agenda.runUntil(0);
      Request large = rig.add(1500, 1);
      rig.agenda.runUntil(5 * MS);
      assertThat(large.scheduledNs >= 0).as("reserve %s", reserve).isEqualTo(!reserve);
    }
  }

  @Test
  void watermark_keepsBlocksFreeWhileOthersRun() {
    Config config = config();
    config.watermark = 0.5;
    config.maxModelLen = 1600;
    config.blocks = 1 + 100;
    EngineRig rig = config.rig();
    // Alone it may have more than the watermark leaves.
    Request first = rig.add(1120, 2);
    rig.agenda.runUntil(0);
    Request second = rig.add(16, 1);
    rig.runOut();
    assertThat(first.scheduledNs).isZero();
    assertThat(second.scheduledNs).isEqualTo(first.lastTokenNs);
  }

  @Test
  void usage_isOfUsableBlocks() {
    Config config = config();
    config.maxModelLen = 320;
    config.blocks = 1 + 40;
    EngineRig rig = config.rig();
    rig.add(160, 2);
    rig.agenda.runUntil(0);
    assertThat(rig.engine.kvUsage()).isEqualTo(10.0 / 40);
    rig.agenda.runUntil(MS);
    assertThat(rig.engine.kvUsage()).isEqualTo(11.0 / 40);
    rig.runOut();
    assertThat(rig.engine.kvUsage()).isZero();
  }

  @Test
  void noBlockLeft_lastOneIsDrivenOutToTheFront() {
    Config config = config();
    config.maxModelLen = 320;
    config.blocks = 1 + 21;
    EngineRig rig = config.rig();
    Request first = rig.add(159, 50);
    Request last = rig.add(159, 50);
    Request behind = rig.add(159, 1);
    rig.runOut();
    assertThat(first.preemptions).isZero();
    assertThat(last.preemptions).isPositive();
    assertThat(behind.preemptions).isZero();
    assertThat(last.firstTokenNs).isEqualTo(MS);
    assertThat(behind.scheduledNs).isGreaterThanOrEqualTo(first.lastTokenNs);
    assertThat(List.of(first.generated, last.generated, behind.generated))
        .containsExactly(50, 50, 1);
    assertThat(rig.value(EngineQuantity.PREEMPTIONS))
        .isEqualTo(first.preemptions + last.preemptions);
  }

  @Test
  void drivenOut_recomputesPromptAndAnswerWithHitsOnItsOwnBlocks() {
    Config config = config();
    config.maxModelLen = 320;
    config.blocks = 1 + 22;
    EngineRig rig = config.rig();
    rig.add(160, 30);
    Request last = rig.add(160, 40);
    rig.runOut();
    assertThat(last.preemptions).isEqualTo(1);
    double again = rig.value(EngineQuantity.PREEMPTED_TOKENS_RECOMPUTED);
    // Its blocks were given up from its end; what the first took since is lost.
    assertThat(again).isPositive().isLessThan(160);
    assertThat(last.cachedTokens).isZero();
    assertThat(rig.value(EngineQuantity.PROMPT_TOKENS)).isEqualTo(320);
  }

  @Test
  void stepThatDroveOut_looksAtNobodyWhoWaits() {
    Config config = config();
    config.maxModelLen = 336;
    config.blocks = 1 + 22;
    EngineRig rig = config.rig();
    rig.add(159, 60);
    rig.add(175, 60);
    int[] before = {0};
    rig.afterStep =
        () -> {
          // Whoever was driven out wasn't seated again in the same plan.
          double preemptions = rig.value(EngineQuantity.PREEMPTIONS);
          if (preemptions > before[0]) {
            assertThat(rig.value(EngineQuantity.WAITING)).isPositive();
            before[0] = (int) preemptions;
          }
        };
    rig.runOut();
    assertThat(before[0]).isPositive();
  }

  @Test
  void byPriority_theWorstIsDrivenOutThoughItCameFirst() {
    Config config = config();
    config.byPriority = true;
    config.maxModelLen = 320;
    config.blocks = 1 + 21;
    EngineRig rig = config.rig();
    Request worse = rig.add(withPriority(rig, 159, 50, 5));
    Request better = rig.add(withPriority(rig, 159, 50, 1));
    rig.runOut();
    assertThat(worse.preemptions).isPositive();
    assertThat(better.preemptions).isZero();
    assertThat(worse.generated).isEqualTo(50);
    assertThat(better.lastTokenNs).isLessThan(worse.lastTokenNs);
  }

  @Test
  void byPriority_theBestIsAdmittedFirst() {
    Config config = config();
    config.byPriority = true;
    config.maxNumSeqs = 1;
    EngineRig rig = config.rig();
    Request worse = rig.add(withPriority(rig, 10, 5, 5));
    Request better = rig.add(withPriority(rig, 10, 5, 1));
    rig.runOut();
    assertThat(better.scheduledNs).isLessThan(worse.scheduledNs);
  }

  private static Request withPriority(EngineRig rig, int prompt, int output, int priority) {
    return rig.request(
        SegmentPrompt.empty().then(100 + priority, prompt),
        Integer.MAX_VALUE,
        output,
        null,
        priority,
        0);
  }

  @Test
  void answer_stopsByItselfOrIsCut() {
    EngineRig rig = config().rig();
    SegmentPrompt prompt = SegmentPrompt.empty().then(1, 10);
    Request stops = rig.add(rig.request(prompt, 3, 5, null, 0, 0));
    Request cut = rig.add(rig.request(prompt, 5, 3, null, 0, 0));
    Request full = rig.add(rig.request(4094, 100));
    rig.runOut();
    assertThat(stops.finish).isEqualTo(Finish.STOP);
    assertThat(stops.generated).isEqualTo(3);
    assertThat(cut.finish).isEqualTo(Finish.LENGTH);
    assertThat(cut.generated).isEqualTo(3);
    assertThat(full.finish).isEqualTo(Finish.LENGTH);
    assertThat(full.generated).as("up to max_model_len").isEqualTo(2);
  }

  @Test
  void promptWithoutRoomForAToken_isABug() {
    EngineRig rig = config().rig();
    assertThatThrownBy(() -> rig.add(4096, 1)).hasMessageContaining("4096");
  }

  @Test
  void cacheBelowOneLongRequest_doesNotStart() {
    Config config = config();
    config.blocks = 1 + 4096 / 16 - 1;
    assertThatThrownBy(config::rig).hasMessageContaining("4096 tokens");
  }

  @Test
  void givenUp_leavesWhereverItIs() {
    Config config = config();
    config.maxNumSeqs = 1;
    EngineRig rig = config.rig();
    Request runs = rig.add(10, 100);
    Request waits = rig.add(10, 100);
    rig.agenda.runUntil(5 * MS);
    Request unseen = rig.add(10, 100);
    rig.engine.abort(runs);
    rig.engine.abort(waits);
    rig.engine.abort(unseen);
    rig.engine.abort(unseen);
    rig.runOut();
    assertThat(rig.ended).isEmpty();
    assertThat(rig.engine.running() + rig.engine.waiting()).isZero();
    assertThat(rig.engine.kvUsage()).isZero();
    assertThat(rig.value(EngineQuantity.RUNNING)).isZero();
    assertThat(runs.finish).isEqualTo(Finish.ABORT);
  }

  @Test
  void stopped_nothingHappensAnyMore() {
    EngineRig rig = config().rig();
    rig.add(10, 100);
    rig.agenda.runUntil(5 * MS);
    rig.engine.stop();
    rig.add(10, 10);
    rig.runOut();
    assertThat(rig.ended).isEmpty();
    assertThat(rig.agenda.now()).isLessThanOrEqualTo(6 * MS);
  }
}
