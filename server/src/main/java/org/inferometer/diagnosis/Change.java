package org.inferometer.diagnosis;

import org.jspecify.annotations.Nullable;

/**
 * Something that differs between window and baseline (D4).
 *
 * @param kind workload, config, version, replicas or restart
 * @param of the instance, or null for the whole service
 * @param share of the latency's change that it can carry, 0 to 1; NaN if it can't be told
 * @param timeMs when it was first seen, or null
 */
public record Change(
    String kind, @Nullable String of, String says, double share, @Nullable Long timeMs) {}
