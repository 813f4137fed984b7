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
 * @param special where it isn't like most
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
    Special special,
    String source) {

  /**
   * What some models do in a way of their own.
   *
   * @param tied whether the output matrix is the input's
   * @param weightBytes of a parameter, as the weights are published
   * @param kvLatent elements of KV that a token keeps in a layer, instead of keys and values; 0 for
   *     those
   * @param window tokens that some layers attend to at most; 0 for no such layers
   * @param windowLayers how many do
   */
  public record Special(
      boolean tied, double weightBytes, int kvLatent, int window, int windowLayers) {}

  /** Elements of KV that a token keeps in one layer. */
  public double kvElementsPerLayer() {
    return special.kvLatent > 0 ? special.kvLatent : 2.0 * kvHeads * headSize;
  }

  /**
   * Bytes of KV cache that a token takes over all layers and GPUs, layers with a window included as
   * if they had none.
   */
  public double kvBytesPerToken(double bytesPerElement) {
    return layers * kvElementsPerLayer() * bytesPerElement;
  }

  /** Parameters of the matrix from hidden states to words, the one from words to them as well. */
  public double vocabularyParameters() {
    return (double) vocabulary * hidden;
  }

  /** Parameters that a token meets between the words: what its operations come from. */
  public double bodyParameters() {
    return activeParameters - vocabularyParameters() * (special.tied ? 1 : 2);
  }

  /** Parameters of one expert over all layers; 0 for a dense model. */
  public double expertParameters() {
    return experts > expertsPerToken && expertsPerToken > 0
        ? (parameters - activeParameters) / (experts - expertsPerToken)
        : 0;
  }

  /** How many of a layer's experts a step meets that computes so many tokens, on average. */
  public double expertsTouched(double tokens) {
    if (experts == 0) {
      return 0;
    }
    double missed = 1 - (double) expertsPerToken / experts;
    return experts * (1 - StrictMath.pow(missed, tokens));
  }

  /** Parameters that are read in a step of so many tokens, the output matrix included. */
  public double parametersRead(double tokens) {
    double body = bodyParameters() - expertsPerToken * expertParameters();
    return body + expertsTouched(tokens) * expertParameters() + vocabularyParameters();
  }
}
