package org.inferometer.diagnosis.finding;

import org.jspecify.annotations.Nullable;

/**
 * Where a cause is; null for all of its kind.
 *
 * @param service the id of the service that suffers
 * @param model the model that it serves
 * @param instance a replica, a gateway, a host
 * @param gpu a GPU, as {@code node-1/gpu3}
 */
public record Scope(
    String service, @Nullable String model, @Nullable String instance, @Nullable String gpu) {}
