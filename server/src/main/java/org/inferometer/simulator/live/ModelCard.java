package org.inferometer.simulator.live;

import org.inferometer.model.Version;

/**
 * A model that an API offers.
 *
 * @param id what requests call it
 * @param owner the engine, as lists of models have it: vllm, sglang
 * @param contextMax tokens of prompt and answer together
 * @param release of the engine: how errors and chunks look depends on it
 */
public record ModelCard(String id, String owner, int contextMax, Version release) {}
