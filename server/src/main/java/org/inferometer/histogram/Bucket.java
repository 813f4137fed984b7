package org.inferometer.histogram;

/**
 * One bucket with its bounds.
 *
 * @param lowerInclusive whether an observation equal to {@code lower} is counted in it
 */
public record Bucket(
    double lower, double upper, boolean lowerInclusive, boolean upperInclusive, double count) {}
