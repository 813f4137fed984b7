package org.inferometer.diagnosis.finding;

import org.jspecify.annotations.Nullable;

/**
 * How much a cause costs.
 *
 * @param signal what suffers: {@code ttft_p95}, {@code tpot_mean}, {@code output_token_rate}
 * @param share of the signal's value that the cause carries, 0 to 1; NaN if it can't be told
 * @param value of the signal now
 * @param without what it would be without the cause; NaN if it can't be told
 * @param text a sentence, with its assumption
 */
public record Effect(
    String signal, double share, double value, double without, @Nullable String text) {}
