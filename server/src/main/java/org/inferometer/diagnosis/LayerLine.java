package org.inferometer.diagnosis;

import org.jspecify.annotations.Nullable;

/**
 * One line of the table that sets the layers against one another (D5).
 *
 * @param layer client, gateway, request, engine, gpu or host
 * @param of whose it is: an instance, a GPU; null for the service as a whole
 * @param value in the unit; NaN if it isn't known
 * @param baseline before, or null
 * @param says what it means, a sentence
 */
public record LayerLine(
    String layer,
    String signal,
    @Nullable String of,
    double value,
    String unit,
    @Nullable Double baseline,
    @Nullable String query,
    String says) {}
