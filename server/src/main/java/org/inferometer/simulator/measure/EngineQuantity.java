package org.inferometer.simulator.measure;

/**
 * What one engine core and the front end counts of its requests. Seconds, tokens, requests;
 * definitions as vLLM's {@code v1/metrics/stats.py} has them.
 */
public enum EngineQuantity implements Quantity {
  /** Requests in the running list. */
  RUNNING(Kind.GAUGE),
  /** Requests waiting, deferred ones included. */
  WAITING(Kind.GAUGE),
  /** Waiting for a slot, KV or budget. */
  WAITING_CAPACITY(Kind.GAUGE),
  /** Waiting for an adapter slot or a KV transfer. */
  WAITING_DEFERRED(Kind.GAUGE),
  /** Used blocks through usable ones, 0 to 1. */
  KV_USAGE(Kind.GAUGE),
  /** Tokens whose KV is held. */
  KV_TOKENS(Kind.GAUGE),
  /** Tokens that the KV cache can hold. */
  KV_TOKENS_MAX(Kind.GAUGE),
  /** Tokens looked up in the prefix cache. */
  PREFIX_QUERY_TOKENS(Kind.COUNTER),
  PREFIX_HIT_TOKENS(Kind.COUNTER),
  /** Tokens asked of another instance's KV, and found. */
  EXTERNAL_QUERY_TOKENS(Kind.COUNTER),
  EXTERNAL_HIT_TOKENS(Kind.COUNTER),
  PREEMPTIONS(Kind.COUNTER),
  /** Prompt tokens of requests whose prefill is done, cached ones included. */
  PROMPT_TOKENS(Kind.COUNTER),
  /** The same by where their KV came from: local_compute, local_cache_hit, external_kv_transfer. */
  PROMPT_TOKENS_BY_SOURCE(Kind.COUNTERS),
  PROMPT_TOKENS_CACHED(Kind.COUNTER),
  /** Cached tokens computed again, as the last one of a prompt is. */
  PROMPT_TOKENS_RECOMPUTED(Kind.COUNTER),
  /** Tokens computed in prefills, those of preempted requests included. Only the truth knows. */
  PREFILL_TOKENS_COMPUTED(Kind.COUNTER),
  /** Tokens computed a second time because of a preemption. Only the truth knows. */
  PREEMPTED_TOKENS_RECOMPUTED(Kind.COUNTER),
  GENERATION_TOKENS(Kind.COUNTER),
  /** Finished requests by reason: stop, length, abort, error, repetition. */
  FINISHED(Kind.COUNTERS),
  /** Requests refused at the front end, by the limit. */
  ADMISSION_REJECTIONS(Kind.COUNTERS),
  /** Engine steps, and tokens of each. */
  ITERATION_TOKENS(Kind.DISTRIBUTION),
  REQUEST_PROMPT_TOKENS(Kind.DISTRIBUTION),
  REQUEST_GENERATION_TOKENS(Kind.DISTRIBUTION),
  REQUEST_MAX_GENERATION_TOKENS(Kind.DISTRIBUTION),
  REQUEST_PARAMS_MAX_TOKENS(Kind.DISTRIBUTION),
  REQUEST_PARAMS_N(Kind.DISTRIBUTION),
  /** Tokens that a request's prefill computed, cached ones not included. */
  REQUEST_PREFILL_COMPUTED_TOKENS(Kind.DISTRIBUTION),
  REQUEST_PREEMPTIONS(Kind.DISTRIBUTION),
  /** From arrival at the front end until its first output was processed there. */
  TTFT(Kind.DISTRIBUTION),
  /** Between two outputs of a request, by the engine's clock. */
  ITL(Kind.DISTRIBUTION),
  /** Decode time through the tokens after the first; 0 for a single token. */
  TPOT(Kind.DISTRIBUTION),
  /** From the first scheduling to the last token, through all tokens: some engines' mean. */
  TOKEN_SECONDS_WITH_PREFILL(Kind.DISTRIBUTION),
  /** From arrival at the front end until the last output was processed there. */
  E2E(Kind.DISTRIBUTION),
  /** From the queue to the first scheduling. */
  QUEUE(Kind.DISTRIBUTION),
  /** From the first scheduling to the first token. */
  PREFILL(Kind.DISTRIBUTION),
  /** From the first token to the last. */
  DECODE(Kind.DISTRIBUTION),
  /** From the first scheduling to the last token. */
  INFERENCE(Kind.DISTRIBUTION),
  SPEC_DRAFTS(Kind.COUNTER),
  SPEC_DRAFT_TOKENS(Kind.COUNTER),
  SPEC_ACCEPTED_TOKENS(Kind.COUNTER),
  /** By position in the draft, from 0. */
  SPEC_ACCEPTED_AT(Kind.COUNTERS),
  /** Adapters that running requests use: the value is 1 for each name. */
  ADAPTERS_RUNNING(Kind.GAUGES),
  /** Adapters that waiting requests want. */
  ADAPTERS_WAITING(Kind.GAUGES),
  /** Loads of adapters. Only the truth knows. */
  ADAPTER_LOADS(Kind.COUNTER),
  /** Transfers of KV from another instance. */
  KV_TRANSFER_SECONDS(Kind.DISTRIBUTION),
  KV_TRANSFER_POST_SECONDS(Kind.DISTRIBUTION),
  KV_TRANSFER_BYTES(Kind.DISTRIBUTION),
  KV_TRANSFER_DESCRIPTORS(Kind.DISTRIBUTION),
  KV_TRANSFER_FAILURES(Kind.COUNTER),
  /** Requests whose KV was kept for another instance until its lease ended. */
  KV_TRANSFER_EXPIRED(Kind.COUNTER),
  /** Wall time inside steps that did prefill, and that did decode only. */
  STEP_PREFILL_SECONDS(Kind.DISTRIBUTION),
  STEP_DECODE_SECONDS(Kind.DISTRIBUTION),
  /** Floating point operations and bytes of a GPU, estimated as an engine does. */
  FLOPS_PER_GPU(Kind.COUNTER),
  READ_BYTES_PER_GPU(Kind.COUNTER),
  WRITE_BYTES_PER_GPU(Kind.COUNTER);

  private final Kind kind;

  EngineQuantity(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }
}
