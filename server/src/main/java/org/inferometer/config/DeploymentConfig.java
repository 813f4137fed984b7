package org.inferometer.config;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What metrics don't tell about how a model is served.
 *
 * @param gpus over all replicas
 * @param gpuType such as {@code H100}
 * @param gpuHourCost of one GPU, in the user's currency
 * @param maxNumSeqs requests that one replica runs at once at most
 * @param kvBytesPerToken bytes of KV cache that a token takes, over all layers and ranks
 */
public record DeploymentConfig(
    OptionalLong gpus,
    Optional<String> gpuType,
    OptionalDouble gpuHourCost,
    OptionalLong maxNumSeqs,
    OptionalLong kvBytesPerToken) {}
