package org.inferometer.tsdb;

/**
 * A stretch of time that a head can give to a block.
 *
 * @param minMs a multiple of the head's chunk range, and {@code maxMs} the next
 * @param isLate whether it lies before what the head was already cut to: its samples came late
 */
record BlockCut(long minMs, long maxMs, boolean isLate) {}
