package org.inferometer.hardware;

/**
 * What a model is made of; what it costs follows from it.
 *
 * @param id in lower case: qwen3-32b
 * @param name as its maker writes it: Qwen/Qwen3-32B
 * @param hidden width of the residual stream
 * @param heads of attention, and of keys and values
 * @param headSize width of a head
 * @param parameters all of them
 * @param activeParameters those that a token uses; all of a dense model
 * @param experts of a layer; 0 for a dense model
 * @param positionsMax tokens it was made for
 * @param source where the numbers come from
 */
public record ModelShape(
    String id,
    String name,
    int layers,
    int hidden,
    int heads,
    int kvHeads,
    int headSize,
    int vocabulary,
    double parameters,
    double activeParameters,
    int experts,
    int expertsPerToken,
    int positionsMax,
    String source) {
  /** Bytes of KV cache that a token takes over all layers and GPUs. */
  public double kvBytesPerToken(double bytesPerElement) {
    return 2.0 * layers * kvHeads * headSize * bytesPerElement;
  }
}
