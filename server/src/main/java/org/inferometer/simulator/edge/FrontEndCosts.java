package org.inferometer.simulator.edge;

import org.inferometer.simulator.scenario.Scenario.Frontend;

/**
 * CPU time that an API front end takes, on a core of usual speed. Orders of magnitude: nobody
 * publishes them one by one. A fast tokeniser does about a million tokens a second on a core; vLLM
 * found 33 % of all time of an 8B model on an H100 in its HTTP server before it got processes of
 * its own (vLLM blog on v0.6.0, September 2024), which some tens of microseconds for each streamed
 * output give at a batch of a few hundred.
 *
 * @param requestNs to read a request, check it and apply the chat template
 * @param promptTokenNs to tokenise, for each token
 * @param batchNs to take what a step brought from the engine
 * @param chunkNs to write an output to a stream
 * @param tokenNs to detokenise, for each token
 * @param abortNs to notice that a client has gone
 * @param handoverNs until the engine core has a request that was read: no CPU time, but turns of
 *     event loops and queues between processes. With the rest some 15 ms a request, as BLIS found
 *     for vLLM (its alpha0 is 15.6 ms); for Rust's an assumption
 */
public record FrontEndCosts(
    long requestNs,
    double promptTokenNs,
    long batchNs,
    double chunkNs,
    double tokenNs,
    long abortNs,
    long handoverNs) {
  /** Without time between reading a request and the engine core's having it. */
  public FrontEndCosts(
      long requestNs,
      double promptTokenNs,
      long batchNs,
      double chunkNs,
      double tokenNs,
      long abortNs) {
    this(requestNs, promptTokenNs, batchNs, chunkNs, tokenNs, abortNs, 0);
  }

  /** Those of a kind; several processes are Python's. */
  public static FrontEndCosts of(Frontend kind) {
    return switch (kind) {
      case PYTHON, MULTIPROCESS -> python();
      case RUST -> rust();
    };
  }

  /** Python on asyncio. */
  public static FrontEndCosts python() {
    return new FrontEndCosts(1_000_000, 1_000, 100_000, 25_000, 5_000, 50_000, 14_000_000);
  }

  /** Rust: the tokeniser is the same, all around it about ten times as fast. */
  public static FrontEndCosts rust() {
    return new FrontEndCosts(100_000, 1_000, 10_000, 2_500, 1_000, 5_000, 2_000_000);
  }

  long requestNs(int promptTokens, double factor) {
    return Math.round((requestNs + promptTokenNs * promptTokens) * factor);
  }

  /** Of the outputs of so many steps. */
  long outputsNs(int steps, int chunks, int tokens, double factor) {
    return Math.round((double) batchNs * steps + (chunkNs * chunks + tokenNs * tokens) * factor);
  }
}
