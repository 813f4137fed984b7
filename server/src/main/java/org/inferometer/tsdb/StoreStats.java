package org.inferometer.tsdb;

/**
 * Figures of a {@link Store} beside those of its head.
 *
 * @param blocks open blocks
 * @param blockBytes what they take on disk
 * @param walBytes what the logs take on disk
 * @param headChunkBytes what the head's mapped chunks take on disk
 * @param minMs no sample is earlier; {@link Long#MAX_VALUE} for none
 * @param maxMs no sample is later; {@link Long#MIN_VALUE} for none
 * @param compactions since the start, cuts of the head included
 * @param compactionsFailed since the start
 * @param reclaimed blocks removed by retention since the start
 * @param walFailures commits that couldn't be written since the start
 * @param corruptions damaged places found since the start
 * @param trouble what is wrong now, such as a full disk; empty for nothing
 */
public record StoreStats(
    int blocks,
    long blockBytes,
    long walBytes,
    long headChunkBytes,
    long minMs,
    long maxMs,
    long compactions,
    long compactionsFailed,
    long reclaimed,
    long walFailures,
    long corruptions,
    String trouble) {}
