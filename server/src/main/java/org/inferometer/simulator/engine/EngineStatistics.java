package org.inferometer.simulator.engine;

import static org.inferometer.simulator.measure.EngineQuantity.ADAPTERS_RUNNING;
import static org.inferometer.simulator.measure.EngineQuantity.ADAPTERS_WAITING;
import static org.inferometer.simulator.measure.EngineQuantity.ADAPTER_LOADS;
import static org.inferometer.simulator.measure.EngineQuantity.DECODE;
import static org.inferometer.simulator.measure.EngineQuantity.EXTERNAL_HIT_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.EXTERNAL_QUERY_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.FINISHED;
import static org.inferometer.simulator.measure.EngineQuantity.GENERATION_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.INFERENCE;
import static org.inferometer.simulator.measure.EngineQuantity.ITERATION_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.ITL;
import static org.inferometer.simulator.measure.EngineQuantity.KV_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.KV_TOKENS_MAX;
import static org.inferometer.simulator.measure.EngineQuantity.KV_USAGE;
import static org.inferometer.simulator.measure.EngineQuantity.PREEMPTED_TOKENS_RECOMPUTED;
import static org.inferometer.simulator.measure.EngineQuantity.PREEMPTIONS;
import static org.inferometer.simulator.measure.EngineQuantity.PREFILL;
import static org.inferometer.simulator.measure.EngineQuantity.PREFILL_TOKENS_COMPUTED;
import static org.inferometer.simulator.measure.EngineQuantity.PREFIX_HIT_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.PREFIX_QUERY_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.PROMPT_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.PROMPT_TOKENS_BY_SOURCE;
import static org.inferometer.simulator.measure.EngineQuantity.PROMPT_TOKENS_CACHED;
import static org.inferometer.simulator.measure.EngineQuantity.PROMPT_TOKENS_RECOMPUTED;
import static org.inferometer.simulator.measure.EngineQuantity.QUEUE;
import static org.inferometer.simulator.measure.EngineQuantity.REQUEST_GENERATION_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.REQUEST_MAX_GENERATION_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.REQUEST_PARAMS_MAX_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.REQUEST_PARAMS_N;
import static org.inferometer.simulator.measure.EngineQuantity.REQUEST_PREEMPTIONS;
import static org.inferometer.simulator.measure.EngineQuantity.REQUEST_PREFILL_COMPUTED_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.REQUEST_PROMPT_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.RUNNING;
import static org.inferometer.simulator.measure.EngineQuantity.SPEC_ACCEPTED_AT;
import static org.inferometer.simulator.measure.EngineQuantity.SPEC_ACCEPTED_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.SPEC_DRAFTS;
import static org.inferometer.simulator.measure.EngineQuantity.SPEC_DRAFT_TOKENS;
import static org.inferometer.simulator.measure.EngineQuantity.STEP_DECODE_SECONDS;
import static org.inferometer.simulator.measure.EngineQuantity.STEP_PREFILL_SECONDS;
import static org.inferometer.simulator.measure.EngineQuantity.TOKEN_SECONDS_WITH_PREFILL;
import static org.inferometer.simulator.measure.EngineQuantity.TPOT;
import static org.inferometer.simulator.measure.EngineQuantity.WAITING;
import static org.inferometer.simulator.measure.EngineQuantity.WAITING_CAPACITY;
import static org.inferometer.simulator.measure.EngineQuantity.WAITING_DEFERRED;

import java.util.Locale;
import org.inferometer.model.Version;
import org.inferometer.simulator.measure.Distribution;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Request;

/**
 * Counts what happens in an engine as its release counts it. What happens while a step is planned
 * is seen when a step's outputs come back; while nothing runs, nothing moves.
 */
final class EngineStatistics {
  private static final double SECONDS = 1e-9;

  /** From here on, lookups are counted in tokens; before, in blocks. vLLM #18003. */
  private static final Version TOKENS_SINCE = Version.parse("0.9.0");

  /** From here on, the lookups of preempted requests aren't counted. vLLM #25787. */
  private static final Version FRESH_ONLY_SINCE = Version.parse("0.11.0");

  /** From here on, a lookup is counted at admission; before, at each attempt. vLLM #48860. */
  private static final Version ADMITTED_SINCE = Version.parse("0.26.0");

  /** From here on, a step's tokens are those computed; before, cached ones too. vLLM #43346. */
  private static final Version COMPUTED_SINCE = Version.parse("0.22.0");

  private final Measures measures;
  private final EngineConfig config;
  private final boolean inTokens;
  private final boolean freshOnly;
  private final boolean atAdmission;
  private final boolean computedOnly;
  private final String[] positions;

  private final Distribution itl;

  /** Not published yet. */
  private double queries;

  private double hits;
  private double externalQueries;
  private double externalHits;
  private int preemptions;

  /** Of the step that has returned. */
  private int generatedInStep;

  private int promptInStep;
  private int computedInStep;
  private int draftsInStep;
  private int draftTokensInStep;
  private final int[] acceptedInStep;
  private long gapNs;
  private int gapCount;

  EngineStatistics(Measures measures, EngineConfig config, int draftTokens) {
    this.measures = measures;
    this.config = config;
    inTokens = isSince(TOKENS_SINCE);
    freshOnly = isSince(FRESH_ONLY_SINCE);
    atAdmission = isSince(ADMITTED_SINCE);
    computedOnly = isSince(COMPUTED_SINCE);
    itl = measures.distribution(ITL);
    acceptedInStep = new int[draftTokens];
    positions = new String[draftTokens];
    for (int i = 0; i < draftTokens; i++) {
      positions[i] = String.valueOf(i);
    }
  }

  private boolean isSince(Version release) {
    return config.release().compareTo(release) >= 0;
  }

  void countPreemption() {
    preemptions++;
  }

  /** The prefix cache was asked, whether or not the request can be admitted then. */
  void countLookup(Sequence sequence, int blocks, int tokens) {
    if (!atAdmission) {
      count(sequence, blocks, tokens);
    }
  }

  /** A request is admitted, with so much from the cache and from another instance. */
  void countAdmission(Sequence sequence, int blocks, int tokens, int externalTokens) {
    if (atAdmission) {
      count(sequence, blocks, tokens);
    }
    if (externalTokens > 0) {
      externalQueries += sequence.known - tokens;
      externalHits += externalTokens;
    }
    Request request = sequence.request;
    if (request.scheduledNs < 0) {
      request.cachedTokens = tokens;
      request.transferredTokens = externalTokens;
    }
  }

  private void count(Sequence sequence, int blocks, int tokens) {
    if (!config.prefixCaching() || (freshOnly && sequence.request.preemptions > 0)) {
      return;
    }
    queries += inTokens ? sequence.known : sequence.known / config.blockSize();
    hits += inTokens ? tokens : blocks;
  }

  /** A part of a prefill has been computed, some of it not for the first time. */
  void countPrefill(int tokens, int again) {
    measures.add(PREFILL_TOKENS_COMPUTED, tokens);
    measures.add(PREEMPTED_TOKENS_RECOMPUTED, again);
  }

  void countDraft(int drafted, int accepted) {
    draftsInStep++;
    draftTokensInStep += drafted;
    for (int i = 0; i < accepted; i++) {
      acceptedInStep[i]++;
    }
  }

  /** A request has its first tokens. */
  void countFirst(Request request, int tokens) {
    int prompt = request.promptTokens();
    int cached = request.cachedTokens + request.transferredTokens;
    generatedInStep += tokens;
    promptInStep += prompt;
    computedInStep += prompt - cached;
    measures.add(PROMPT_TOKENS, prompt);
    measures.add(PROMPT_TOKENS_CACHED, cached);
    // So does vLLM tell it: all but the last token were there.
    measures.add(PROMPT_TOKENS_RECOMPUTED, cached + 1 == prompt ? 1 : 0);
    measures.add(PROMPT_TOKENS_BY_SOURCE, "local_compute", prompt - cached);
    measures.add(PROMPT_TOKENS_BY_SOURCE, "local_cache_hit", request.cachedTokens);
    measures.add(PROMPT_TOKENS_BY_SOURCE, "external_kv_transfer", request.transferredTokens);
  }

  /** A request has tokens that aren't its first. Most come after the same gap. */
  void countNext(long sincePreviousNs, int tokens) {
    generatedInStep += tokens;
    if (sincePreviousNs != gapNs) {
      flushGaps();
      gapNs = sincePreviousNs;
    }
    gapCount++;
  }

  private void flushGaps() {
    if (gapCount > 0) {
      itl.observe(gapNs * SECONDS, gapCount);
      gapCount = 0;
    }
  }

  void countFinish(Request request, Sequence sequence) {
    measures.add(FINISHED, String.valueOf(request.finish).toLowerCase(Locale.ROOT), 1);
    observe(REQUEST_PROMPT_TOKENS, request.promptTokens());
    observe(REQUEST_GENERATION_TOKENS, request.generated);
    observe(REQUEST_MAX_GENERATION_TOKENS, request.generated);
    observe(REQUEST_PARAMS_MAX_TOKENS, sequence.tokensMax);
    observe(REQUEST_PARAMS_N, 1);
    observe(
        REQUEST_PREFILL_COMPUTED_TOKENS,
        request.promptTokens() - request.cachedTokens - request.transferredTokens);
    observe(REQUEST_PREEMPTIONS, request.preemptions);
    long decodeNs = request.lastTokenNs - request.firstTokenNs;
    observe(QUEUE, (request.scheduledNs - request.queuedNs) * SECONDS);
    observe(PREFILL, (request.firstTokenNs - request.scheduledNs) * SECONDS);
    observe(DECODE, decodeNs * SECONDS);
    observe(INFERENCE, (request.lastTokenNs - request.scheduledNs) * SECONDS);
    observe(TPOT, request.generated > 1 ? decodeNs * SECONDS / (request.generated - 1) : 0);
    long inferenceNs = request.lastTokenNs - request.scheduledNs;
    observe(TOKEN_SECONDS_WITH_PREFILL, inferenceNs * SECONDS / Math.max(1, request.generated));
  }

  private void observe(EngineQuantity quantity, double value) {
    measures.distribution(quantity).observe(value);
  }

  /** A step has returned; its outputs go out with what was counted. */
  void endStep(StepPlan plan, long tookNs, boolean hasOutputs) {
    flushGaps();
    // The front end counts batches of outputs: a step that only moves prefills on isn't seen.
    if (hasOutputs) {
      observe(ITERATION_TOKENS, generatedInStep + (computedOnly ? computedInStep : promptInStep));
    }
    observe(
        plan.work.prefillRequests > 0 ? STEP_PREFILL_SECONDS : STEP_DECODE_SECONDS,
        tookNs * SECONDS);
    measures.add(GENERATION_TOKENS, generatedInStep);
    measures.add(ADAPTER_LOADS, plan.work.adapterLoads);
    if (draftsInStep > 0) {
      publishDrafts();
    }
    generatedInStep = 0;
    promptInStep = 0;
    computedInStep = 0;
  }

  private void publishDrafts() {
    measures.add(SPEC_DRAFTS, draftsInStep);
    measures.add(SPEC_DRAFT_TOKENS, draftTokensInStep);
    for (int i = 0; i < acceptedInStep.length; i++) {
      measures.add(SPEC_ACCEPTED_TOKENS, acceptedInStep[i]);
      measures.add(SPEC_ACCEPTED_AT, positions[i], acceptedInStep[i]);
      acceptedInStep[i] = 0;
    }
    draftsInStep = 0;
    draftTokensInStep = 0;
  }

  /** How things stand goes out. */
  void publish(Scheduler scheduler, KvCache cache, AdapterSlots adapters) {
    WaitingQueues queues = scheduler.queues();
    measures.set(RUNNING, scheduler.running());
    measures.set(WAITING, queues.size());
    measures.set(WAITING_CAPACITY, queues.waiting());
    measures.set(WAITING_DEFERRED, queues.skipped());
    measures.set(KV_USAGE, cache.usage());
    measures.set(KV_TOKENS, (double) cache.pool().used() * config.blockSize());
    measures.set(KV_TOKENS_MAX, (double) cache.pool().usable() * config.blockSize());
    measures.add(PREFIX_QUERY_TOKENS, queries);
    measures.add(PREFIX_HIT_TOKENS, hits);
    measures.add(EXTERNAL_QUERY_TOKENS, externalQueries);
    measures.add(EXTERNAL_HIT_TOKENS, externalHits);
    measures.add(PREEMPTIONS, preemptions);
    queries = 0;
    hits = 0;
    externalQueries = 0;
    externalHits = 0;
    preemptions = 0;
    if (adapters.changed()) {
      publishAdapters(adapters);
    }
  }

  private void publishAdapters(AdapterSlots adapters) {
    measures.clear(ADAPTERS_RUNNING);
    measures.clear(ADAPTERS_WAITING);
    for (int i = 0; i < adapters.count(); i++) {
      if (adapters.running(i) > 0) {
        measures.set(ADAPTERS_RUNNING, adapters.name(i), 1);
      }
      if (adapters.requests(i) > adapters.running(i)) {
        measures.set(ADAPTERS_WAITING, adapters.name(i), 1);
      }
    }
  }
}
