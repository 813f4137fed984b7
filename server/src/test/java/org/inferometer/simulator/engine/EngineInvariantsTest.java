package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.simulator.engine.EngineRig.Config;
import org.inferometer.simulator.engine.Sequence.Place;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.request.Prompt;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.SegmentPrompt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds after every step, whatever arrives and however the engine is set. */
class EngineInvariantsTest {
  private static final int REQUESTS = 150;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void anything_holds(long seed) {
    Run run = new Run(seed);
    try {
      run.go();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed + ", " + run.rig.engine.config(), e);
    }
  }

  /** A run that its seed decides: settings, arrivals, lengths, conversations, aborts. */
  private static final class Run {
    final Dice dice;
    final EngineRig rig;
    final List<Request> requests = new ArrayList<>();
    final List<Request> aborted = new ArrayList<>();
    long clock;

    Run(long seed) {
      dice = Dice.of(seed);
      rig = new EngineRig(settings().make(), seed);
    }

    private Config settings() {
      Config config = EngineRig.config();
      config.release = dice.chance(0.5) ? "0.31.0" : "0.10.2";
      config.maxModelLen = 512;
      config.blocks = 1 + 32 + dice.nextInt(200);
      config.maxNumSeqs = 1 + dice.nextInt(30);
      config.maxNumBatchedTokens = 64 + dice.nextInt(1000);
      config.chunkedPrefill = dice.chance(0.8);
      config.longPrefillTokenThreshold = dice.chance(0.3) ? 50 : 0;
      config.prefixCaching = dice.chance(0.8);
      config.asyncScheduling = dice.chance(0.5);
      config.byPriority = dice.chance(0.3);
      config.reserveFullPrompt = dice.chance(0.7);
      config.watermark = dice.chance(0.3) ? 0.05 : 0;
      if (dice.chance(0.4)) {
        config.speculation = new EngineConfig.Speculation(1 + dice.nextInt(4), 0.8, 0.9, 0.1, 0.05);
      }
      if (dice.chance(0.4)) {
        config.adapters = new EngineConfig.Adapters(2, 3_000_000);
      }
      return config;
    }

    void go() {
      rig.afterStep = this::check;
      rig.beforeStep = this::checkWorkConserving;
      long at = 0;
      for (int i = 0; i < REQUESTS; i++) {
        at += (long) dice.nextExponential(8e6);
        rig.agenda.at(at, this::arrive);
      }
      rig.runOut();
      check();
      checkEnd();
    }

    private void arrive() {
      Request request =
          rig.request(
              prompt(),
              1 + dice.nextInt(100),
              1 + dice.nextInt(120),
              rig.engine.config().adapters() == null || dice.chance(0.3)
                  ? null
                  : "a" + dice.nextInt(5),
              dice.nextInt(3),
              dice.nextDouble());
      requests.add(rig.add(request));
      if (dice.chance(0.1)) {
        rig.agenda.in(
            dice.nextInt(60_000_000),
            () -> {
              if (request.finish == null) {
                aborted.add(request);
              }
              rig.engine.abort(request);
            });
      }
    }

    private Prompt prompt() {
      if (!requests.isEmpty() && dice.chance(0.3)) {
        Request before = requests.get(dice.nextInt(requests.size()));
        if (before.generated > 0 && before.promptTokens() + before.generated < 350) {
          return before
              .ask
              .prompt()
              .then(before.outputContent(), before.generated)
              .then(dice.nextLong(), 1 + dice.nextInt(100));
        }
      }
      return SegmentPrompt.empty()
          .then(dice.nextInt(3), dice.nextInt(150))
          .then(dice.nextLong(), 1 + dice.nextInt(250));
    }

    private void check() {
      assertThat(rig.agenda.now()).isGreaterThanOrEqualTo(clock);
      clock = rig.agenda.now();
      checkBlocks();
      assertThat(rig.value(EngineQuantity.WAITING))
          .isEqualTo(
              rig.value(EngineQuantity.WAITING_CAPACITY)
                  + rig.value(EngineQuantity.WAITING_DEFERRED));
      assertThat(rig.value(EngineQuantity.PREFIX_HIT_TOKENS))
          .isLessThanOrEqualTo(rig.value(EngineQuantity.PREFIX_QUERY_TOKENS));
      assertThat(rig.engine.running()).isLessThanOrEqualTo(rig.engine.config().maxNumSeqs());
      rig.steps.forEach(
          step ->
              assertThat(step.tokens())
                  .isBetween(
                      1,
                      Math.max(
                          rig.engine.config().maxNumBatchedTokens(),
                          rig.engine.config().chunkedPrefill() ? 0 : 512)));
      rig.steps.clear();
    }

    /** Nobody who could be computed waits; asked where a plan is begun as soon as it is made. */
    private void checkWorkConserving() {
      EngineConfig config = rig.engine.config();
      Scheduler scheduler = rig.engine.scheduler();
      Sequence first = scheduler.queues().peek();
      if (config.asyncScheduling() || first == null || first.place == Place.SKIPPED) {
        return;
      }
      boolean full =
          scheduler.budgetLeft() == 0
              || scheduler.running() == config.maxNumSeqs()
              || scheduler.hasPreempted();
      if (!full) {
        assertThat(fits(first, scheduler)).as("%s waits for nothing", first.request).isFalse();
      }
    }

    /** By counting anew what it would need. */
    private boolean fits(Sequence sequence, Scheduler scheduler) {
      EngineConfig config = rig.engine.config();
      BlockPool pool = rig.engine.cache().pool();
      int hits = 0;
      int heldByOthers = 0;
      while (config.prefixCaching() && (hits + 1) * 16 < sequence.known) {
        int block = pool.find(sequence.hash(hits));
        if (block == BlockIndex.NONE) {
          break;
        }
        heldByOthers += pool.holders(block) > 0 ? 1 : 0;
        hits++;
      }
      int wanted = sequence.known - hits * 16;
      int threshold = config.longPrefillTokenThreshold();
      int tokens = threshold > 0 ? Math.min(wanted, threshold) : wanted;
      if (!config.chunkedPrefill() && tokens > scheduler.budgetLeft()) {
        return false;
      }
      tokens = Math.min(tokens, scheduler.budgetLeft());
      int end = config.reserveFullPrompt() ? sequence.known : hits * 16 + tokens;
      int kept = (int) (config.watermark() * config.blocks());
      return (end + 15) / 16 - heldByOthers + kept <= pool.free();
    }

    /** Free and held blocks are all there are; a block has as many holders as it says. */
    private void checkBlocks() {
      BlockPool pool = rig.engine.cache().pool();
      int[] holders = new int[pool.usable() + 1];
      for (Request request : requests) {
        Sequence sequence = (Sequence) request.engineState;
        if (sequence != null && sequence.place != Place.GONE) {
          for (int i = 0; i < sequence.blockCount; i++) {
            holders[sequence.blocks[i]]++;
          }
        }
      }
      int held = 0;
      for (int block = 1; block < holders.length; block++) {
        if (pool.holders(block) != holders[block]) {
          throw new AssertionError("expected " + holders[block] + " holders of block " + block);
        }
        held += holders[block] > 0 ? 1 : 0;
      }
      assertThat(holders[0]).as("holders of the null block").isZero();
      int free = 0;
      for (int b = pool.firstFree(); b != BlockIndex.NONE; b = pool.nextFree(b)) {
        free += holders[b] == 0 ? 1 : 0;
      }
      assertThat(free).isEqualTo(pool.free());
      assertThat(free + held).isEqualTo(pool.usable());
    }

    private void checkEnd() {
      long generated = 0;
      double prompts = 0;
      for (Request request : requests) {
        generated += request.generated;
        prompts += request.generated > 0 ? request.promptTokens() : 0;
        if (!aborted.contains(request)) {
          checkWhole(request);
        }
      }
      assertThat(rig.engine.running() + rig.engine.waiting()).isZero();
      assertThat(rig.engine.cache().pool().used()).isZero();
      assertThat(rig.value(EngineQuantity.KV_USAGE)).isZero();
      assertThat(rig.value(EngineQuantity.GENERATION_TOKENS)).isEqualTo((double) generated);
      assertThat(rig.outputTokens).isEqualTo(generated);
      assertThat(rig.value(EngineQuantity.PROMPT_TOKENS)).isEqualTo(prompts);
      double sources = 0;
      for (double[] source :
          rig.measures.labelled(EngineQuantity.PROMPT_TOKENS_BY_SOURCE).values()) {
        sources += source[0];
      }
      assertThat(sources).isEqualTo(prompts);
      checkRecomputed();
    }

    /** What prefills computed is what wasn't cached, and what was lost. */
    private void checkRecomputed() {
      double computed = rig.value(EngineQuantity.PREFILL_TOKENS_COMPUTED);
      double again = rig.value(EngineQuantity.PREEMPTED_TOKENS_RECOMPUTED);
      double fresh = rig.measures.value(EngineQuantity.PROMPT_TOKENS_BY_SOURCE, "local_compute");
      assertThat(computed).isGreaterThanOrEqualTo(fresh);
      if (rig.value(EngineQuantity.PREEMPTIONS) == 0) {
        assertThat(again).isZero();
      }
    }

    private void checkWhole(Request request) {
      int wanted = Math.min(request.ask.tokensToGenerate(), 512 - request.promptTokens());
      assertThat(request.generated).as("tokens of %s", request).isEqualTo(wanted);
      assertThat(request.finish).isNotNull();
      assertThat(request.arrivalNs).isLessThanOrEqualTo(request.queuedNs);
      assertThat(request.queuedNs).isLessThanOrEqualTo(request.scheduledNs);
      assertThat(request.scheduledNs).isLessThan(request.firstTokenNs);
      assertThat(request.firstTokenNs).isLessThanOrEqualTo(request.lastTokenNs);
    }
  }
}
