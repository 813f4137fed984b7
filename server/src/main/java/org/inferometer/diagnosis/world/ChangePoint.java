package org.inferometer.diagnosis.world;

import org.inferometer.signals.Layer;
import org.jspecify.annotations.Nullable;

/**
 * When a signal left the level it had.
 *
 * @param instance the replica, or null for the whole service
 * @param timeMs the first time at the new level
 * @param before the level before, its median
 * @param after the level after, its median
 * @param score how many times its usual spread it moved
 */
public record ChangePoint(
    String signal,
    Layer layer,
    @Nullable String instance,
    long timeMs,
    double before,
    double after,
    double score) {}
