package org.inferometer.simulator.engine;

/**
 * What one step computes, as the roofline wants it. One object is used again and again. Not
 * thread-safe.
 */
public final class StepWork {
  /** Prompt tokens computed, recomputed ones included. */
  public int prefillTokens;

  /** Requests of which some prompt is computed. */
  public int prefillRequests;

  /** Sum over prefill tokens of the tokens each attends to. */
  public double prefillAttention;

  /** Requests that decode. */
  public int decodeRequests;

  /** Tokens computed for them: one each, and their drafts. */
  public int decodeTokens;

  /** Sum over decoding requests of the tokens whose KV is read. */
  public double decodeContext;

  /** Sum over prefilling requests of the tokens whose KV is read because it was there before. */
  public double prefillContext;

  /** Adapters loaded before the step. */
  public int adapterLoads;

  /** Different adapters used in the step. */
  public int adapters;

  /** Nanoseconds that the step waits for drafts, loads and the like, besides its own work. */
  public long extraNs;

  /** Requests with penalties or the like, whose sampling needs the CPU. */
  public int penalised;

  public void clear() {
    prefillTokens = 0;
    prefillRequests = 0;
    prefillAttention = 0;
    decodeRequests = 0;
    decodeTokens = 0;
    decodeContext = 0;
    prefillContext = 0;
    adapterLoads = 0;
    adapters = 0;
    extraNs = 0;
    penalised = 0;
  }

  public int tokens() {
    return prefillTokens + decodeTokens;
  }

  public int requests() {
    return prefillRequests + decodeRequests;
  }
}
