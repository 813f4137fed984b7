package org.inferometer.simulator.engine;

import org.inferometer.model.Version;
import org.jspecify.annotations.Nullable;

/**
 * How one engine core is set, by vLLM's names where it has one.
 *
 * @param release of the engine; decides what is counted how
 * @param maxModelLen tokens of prompt and answer together
 * @param blocks of KV cache, the null block included
 * @param blockSize tokens of a block
 * @param longPrefillTokenThreshold tokens of one prefill in a step at most; 0 for no limit
 * @param reserveFullPrompt whether a request is admitted only if its whole prompt fits
 * @param watermark share of the blocks that stay free at admission
 * @param streamInterval outputs are sent every so many tokens
 * @param maxNumQueued requests that may wait; more are refused with 503; 0 for no limit
 */
public record EngineConfig(
    Version release,
    int maxModelLen,
    int maxNumSeqs,
    int maxNumBatchedTokens,
    int blocks,
    int blockSize,
    boolean chunkedPrefill,
    int longPrefillTokenThreshold,
    boolean prefixCaching,
    boolean asyncScheduling,
    boolean byPriority,
    boolean reserveFullPrompt,
    double watermark,
    int streamInterval,
    int maxNumQueued,
    @Nullable Speculation speculation,
    @Nullable Adapters adapters,
    @Nullable Transfers transfers) {

  /**
   * Speculative decoding.
   *
   * @param draftTokens proposed in each step
   * @param acceptance probability that the first draft token is kept, at temperature 0; the one at
   *     position i is kept, if all before were, with acceptance times decay^i
   * @param temperatureLoss how much each degree of temperature takes off the acceptance
   * @param draftCost time to draft one token through the time of a decode step of the model
   */
  public record Speculation(
      int draftTokens, double acceptance, double decay, double temperatureLoss, double draftCost) {}

  /**
   * LoRA adapters.
   *
   * @param slots adapters that can be used in one step
   * @param loadNs time to load one, which the step waits for
   */
  public record Adapters(int slots, long loadNs) {}

  /**
   * KV sent between instances.
   *
   * @param bytesPerSecond of the link
   * @param latencyNs before the first byte
   * @param kvBytesPerToken over all GPUs
   */
  public record Transfers(double bytesPerSecond, long latencyNs, double kvBytesPerToken) {}
}
