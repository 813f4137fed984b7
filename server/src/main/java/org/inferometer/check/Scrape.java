package org.inferometer.check;

import org.jspecify.annotations.Nullable;

/**
 * One scrape that gave metrics.
 *
 * @param timeMs by the clock of this machine, before it was asked
 * @param dateMs by the endpoint's clock, cut to the second, null if it didn't say
 * @param seconds from asking to the last byte
 */
record Scrape(
    long timeMs,
    ParsedPage page,
    String contentType,
    @Nullable Long dateMs,
    double seconds,
    int bytes) {}
