package org.inferometer.config;

import java.util.OptionalDouble;

/**
 * What a model's service should keep.
 *
 * @param ttftP95Seconds time to first token that 95 % stay below
 * @param tpotP95Seconds time per output token that 95 % stay below
 * @param e2eP95Seconds time to the last token that 95 % stay below
 * @param success ratio of requests that succeed, above 0 and at most 1
 */
public record SloConfig(
    OptionalDouble ttftP95Seconds,
    OptionalDouble tpotP95Seconds,
    OptionalDouble e2eP95Seconds,
    OptionalDouble success) {}
