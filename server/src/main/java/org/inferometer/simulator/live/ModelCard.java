package org.inferometer.simulator.live;

import org.inferometer.model.Version;
import org.jspecify.annotations.Nullable;

/**
 * A model that an API offers.
 *
 * @param id what requests call it
 * @param owner the engine, as lists of models have it: vllm, sglang
 * @param contextMax tokens of prompt and answer together
 * @param release of the engine: how errors and chunks look depends on it
 * @param parent the model that this is a LoRA adapter of; null for a model itself
 */
public record ModelCard(
    String id, String owner, int contextMax, Version release, @Nullable String parent) {
  /** An adapter of this model. */
  ModelCard adapter(String name) {
    return new ModelCard(name, owner, contextMax, release, id);
  }
}
