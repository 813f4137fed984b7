package org.inferometer.diagnosis.finding;

import org.jspecify.annotations.Nullable;

/**
 * Something to do.
 *
 * @param action what, with the engine's own flag where there is one
 * @param why it should help
 * @param expect the effect to expect
 * @param risk what it costs or may break, or null
 * @param confirm the query or command that shows that it worked
 */
public record Action(
    String action, String why, String expect, @Nullable String risk, String confirm) {}
