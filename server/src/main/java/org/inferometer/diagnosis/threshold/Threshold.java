package org.inferometer.diagnosis.threshold;

/**
 * A number by which causes are judged.
 *
 * @param name such as {@code kv_usage_full}
 * @param unit one of the units of signals, or {@code ratio}, {@code count}
 * @param source where the number comes from: a paper, a spec, an identity, or a rule of thumb that
 *     says so
 */
public record Threshold(String name, double value, String unit, String source) {}
