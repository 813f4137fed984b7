package org.inferometer.signals;

import org.jspecify.annotations.Nullable;

/**
 * Where a signal's value should lie.
 *
 * @param low null for an open end
 * @param high null for an open end
 * @param source where the numbers come from
 */
public record HealthyRange(@Nullable Double low, @Nullable Double high, String source) {}
