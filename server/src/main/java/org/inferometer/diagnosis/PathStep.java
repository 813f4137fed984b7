package org.inferometer.diagnosis;

import org.jspecify.annotations.Nullable;

/**
 * A question of the decision tree and what was measured.
 *
 * @param signal that answers it, or null
 * @param value of it, NaN if it isn't known
 * @param threshold it was held against, or null
 */
public record PathStep(
    String question,
    String answer,
    @Nullable String signal,
    double value,
    @Nullable String unit,
    @Nullable Double threshold) {}
