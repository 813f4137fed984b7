package org.inferometer.simulator.page;

/**
 * What an endpoint answers to a scrape.
 *
 * @param length of the body; what lies behind it doesn't count
 */
public record Page(byte[] body, int length, String contentType) {}
