package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.simulator.engine.EngineRig.MS;
import static org.inferometer.simulator.engine.EngineRig.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.simulator.engine.EngineRig.Config;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.request.Prompt;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.SegmentPrompt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found again and how it is counted: fact 5 of the internals page, and INC-05. */
class PrefixCacheTest {
  private static final SegmentPrompt SHARED = SegmentPrompt.empty().then(42, 100);

  @Test
  void sharedBeginning_hitsItsFullBlocks() {
    EngineRig rig = config().rig();
    Request first = rig.add(rig.request(SHARED.then(1, 50), 1));
    rig.runOut();
    Request second = rig.add(rig.request(SHARED.then(2, 50), 1));
    rig.runOut();
    assertThat(first.cachedTokens).isZero();
    assertThat(second.cachedTokens).isEqualTo(96);
    assertThat(rig.value(EngineQuantity.PREFIX_QUERY_TOKENS)).isEqualTo(300);
    assertThat(rig.value(EngineQuantity.PREFIX_HIT_TOKENS)).isEqualTo(96);
    assertThat(rig.steps).extracting(EngineRig.Step::prefillTokens).containsExactly(150, 54);
  }

  @Test
  void sharedBeginningBelowABlock_neverHits() {
    EngineRig rig = config().rig();
    for (int i = 0; i < 3; i++) {
      rig.add(rig.request(SegmentPrompt.empty().then(42, 15).then(i, 50), 1));
      rig.runOut();
    }
    assertThat(rig.value(EngineQuantity.PREFIX_HIT_TOKENS)).isZero();
  }

  @Test
  void wholePromptCached_lastBlockIsComputedAgain() {
    EngineRig rig = config().rig();
    Prompt prompt = SegmentPrompt.empty().then(42, 64);
    rig.add(rig.request(prompt, 1));
    rig.runOut();
    Request again = rig.add(rig.request(prompt, 1));
    rig.runOut();
    assertThat(again.cachedTokens).isEqualTo(48);
  }

  @Test
  void sameStep_secondFindsWhatTheFirstComputes() {
    EngineRig rig = config().rig();
    rig.add(rig.request(SHARED.then(1, 50), 1));
    Request second = rig.add(rig.request(SHARED.then(2, 50), 1));
    rig.runOut();
    assertThat(second.cachedTokens).isEqualTo(96);
    assertThat(second.scheduledNs).isZero();
  }

  @Test
  void nextTurn_hitsTheAnswerToo() {
    for (boolean async : new boolean[] {false, true}) {
      Config config = config();
      config.asyncScheduling = async;
      EngineRig rig = config.rig();
      Request first = rig.add(rig.request(SHARED, 61));
      rig.runOut();
      Request next =
          rig.add(rig.request(SHARED.then(first.outputContent(), first.generated).then(7, 30), 1));
      rig.runOut();
      // The answer's last token was never computed: 160 tokens are ten blocks.
      assertThat(next.cachedTokens).as("async %s", async).isEqualTo(160);
    }
  }

  @Test
  void otherAdapter_sameTokens_noHit() {
    Config config = config();
    config.adapters = new EngineConfig.Adapters(4, 0);
    EngineRig rig = config.rig();
    for (String adapter : List.of("a", "b", "a")) {
      rig.add(rig.request(SHARED, 1, 1, adapter, 0, 0));
      rig.runOut();
    }
    assertThat(rig.value(EngineQuantity.PREFIX_HIT_TOKENS)).isEqualTo(96);
  }

  @Test
  void cachingOff_nothingIsAskedOrFound() {
    Config config = config();
    config.prefixCaching = false;
    EngineRig rig = config.rig();
    rig.add(rig.request(SHARED, 1));
    rig.runOut();
    rig.add(rig.request(SHARED, 1));
    rig.runOut();
    assertThat(rig.value(EngineQuantity.PREFIX_QUERY_TOKENS)).isZero();
    assertThat(rig.value(EngineQuantity.PROMPT_TOKENS_CACHED)).isZero();
  }

  @Test
  void freeBlocks_stillHit_thoughUsageIsZero() {
    EngineRig rig = config().rig();
    rig.add(rig.request(SHARED, 1));
    rig.runOut();
    assertThat(rig.value(EngineQuantity.KV_USAGE)).isZero();
    assertThat(rig.add(rig.request(SHARED, 1)).cachedTokens).isZero();
    rig.runOut();
    assertThat(rig.value(EngineQuantity.PREFIX_HIT_TOKENS)).isEqualTo(96);
  }

  @Test
  void pushedOut_endGoesBeforeBeginning() {
    Config config = config();
    config.maxModelLen = 320;
    config.blocks = 1 + 20;
    EngineRig rig = config.rig();
    rig.add(rig.request(SegmentPrompt.empty().then(42, 160), 1));
    rig.runOut();
    rig.add(rig.request(SegmentPrompt.empty().then(43, 240), 1));
    rig.runOut();
    Request again = rig.add(rig.request(SegmentPrompt.empty().then(42, 160), 1));
    rig.runOut();
    // Ten blocks were never used, five of the first request's are lost: its last ones.
    assertThat(again.cachedTokens).isEqualTo(80);
  }

  @ParameterizedTest
  @CsvSource({"0.8.5, 18, 6", "0.9.0, 300, 96", "0.31.0, 300, 96"})
  void releases_countInBlocksOrTokens(String release, double queries, double hits) {
    Config config = config();
    config.release = release;
    EngineRig rig = config.rig();
    rig.add(rig.request(SHARED.then(1, 50), 1));
    rig.runOut();
    rig.add(rig.request(SHARED.then(2, 50), 1));
    rig.runOut();
    assertThat(rig.value(EngineQuantity.PREFIX_QUERY_TOKENS)).isEqualTo(queries);
    assertThat(rig.value(EngineQuantity.PREFIX_HIT_TOKENS)).isEqualTo(hits);
  }

  @ParameterizedTest
  @CsvSource({"0.25.0, true", "0.26.0, false"})
  void refusedAdmission_isALookupInOldReleases(String release, boolean counts) {
    Config config = config();
    config.release = release;
    config.maxModelLen = 320;
    config.blocks = 1 + 20;
    EngineRig rig = config.rig();
    rig.add(300, 3);
    rig.agenda.runUntil(0);
    rig.add(100, 1);
    rig.runOut();
    // The second is asked for before each of two steps, and when it is admitted.
    assertThat(rig.value(EngineQuantity.PREFIX_QUERY_TOKENS)).isEqualTo(counts ? 600 : 400);
  }

  /**
   * INC-05 (b): random prompts, nothing shared; with less KV the hit ratio of an old release rises,
   * because the preempted find their own blocks. From 0.11.0 on it stays 0.
   */
  @Test
  void lessKv_hitRatioOfAnOldReleaseRises() {
    double ample = hitRatio("0.10.2", 4200);
    double less = hitRatio("0.10.2", 1600);
    double little = hitRatio("0.10.2", 400);
    assertThat(ample).isZero();
    assertThat(less).isGreaterThan(0.03);
    assertThat(little).isGreaterThan(3 * less);
    assertThat(hitRatio("0.11.0", 400)).isZero();
  }

  /** 300 requests of 100 tokens in and 112 out, all at once. */
  private static double hitRatio(String release, int blocks) {
    Config config = config();
    config.release = release;
    config.blocks = 1 + blocks;
    config.maxModelLen = 1024;
    config.maxNumSeqs = 300;
    EngineRig rig = config.rig();
    for (int i = 0; i < 300; i++) {
      rig.add(100, 112);
    }
    rig.runOut();
    return rig.value(EngineQuantity.PREFIX_HIT_TOKENS)
        / rig.value(EngineQuantity.PREFIX_QUERY_TOKENS);
  }

  /**
   * With blocks for all, hits are what a plain map of every beginning that was ever computed says:
   * one key for each full block's whole beginning, token by token.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void hits_areThoseOfAPlainMap(long seed) {
    Dice dice = Dice.of(seed);
    Config config = config();
    config.blocks = 1 + 100_000;
    EngineRig rig = config.rig();
    Map<List<Long>, Boolean> computed = new HashMap<>();
    List<Request> done = new ArrayList<>();
    double expected = 0;
    for (int i = 0; i < 60; i++) {
      Prompt prompt = SegmentPrompt.empty().then(dice.nextInt(2), 1 + dice.nextInt(100));
      if (!done.isEmpty() && dice.chance(0.5)) {
        Request before = done.get(dice.nextInt(done.size()));
        prompt = before.ask.prompt().then(before.outputContent(), before.generated);
        if (prompt.length() > 2000) {
          prompt = before.ask.prompt();
        }
      }
      prompt = prompt.then(dice.nextInt(3), dice.nextInt(40));
      Request request = rig.add(rig.request(prompt, 1 + dice.nextInt(60)));
      List<Long> tokens = tokens(prompt);
      int hits = 0;
      while (hits + 16 <= tokens.size() - 1 && computed.containsKey(tokens.subList(0, hits + 16))) {
        hits += 16;
      }
      rig.runOut();
      expected += hits;
      assertThat(request.cachedTokens).as("seed %d, request %d", seed, i).isEqualTo(hits);
      // All but the answer's last token has been computed.
      List<Long> all = tokens(prompt.then(request.outputContent(), request.generated - 1));
      for (int end = 16; end <= all.size(); end += 16) {
        computed.put(new ArrayList<>(all.subList(0, end)), true);
      }
      done.add(request);
    }
    assertThat(rig.value(EngineQuantity.PREFIX_HIT_TOKENS)).isEqualTo(expected).isPositive();
  }

  /** Each token by itself. */
  private static List<Long> tokens(Prompt prompt) {
    List<Long> tokens = new ArrayList<>();
    for (int i = 0; i < prompt.length(); i++) {
      tokens.add(prompt.contentKey(i, i + 1));
    }
    return tokens;
  }

  @Test
  void cachedTokens_areNotComputed() {
    EngineRig rig = config().rig();
    rig.add(rig.request(SHARED.then(1, 50), 1));
    rig.runOut();
    long begin = rig.agenda.now();
    Request second = rig.add(rig.request(SHARED.then(2, 50), 1));
    rig.runOut();
    assertThat(second.firstTokenNs - begin).isEqualTo(MS);
    assertThat(rig.value(EngineQuantity.PREFILL_TOKENS_COMPUTED)).isCloseTo(204, within(0.0));
  }
}
