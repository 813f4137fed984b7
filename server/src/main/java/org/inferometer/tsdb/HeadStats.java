package org.inferometer.tsdb;

import java.util.Map;
import org.inferometer.store.AppendOutcome;

/**
 * Figures of a {@link Head} at one moment; cheap to make.
 *
 * @param series series in the index
 * @param seriesCreated series made since the start
 * @param seriesRemoved series removed since the start, having no samples left
 * @param labelPairs different pairs of label name and value
 * @param chunks chunks in memory, open ones included
 * @param bytes what chunks and index take, reckoned from their layout; {@code bytesMax} is its
 *     limit
 * @param indexBytes the part of {@code bytes} that isn't chunks
 * @param bytesMax the limit
 * @param samples by outcome since the start; {@code ACCEPTED} is what was committed
 * @param seriesRefused new series that weren't made for want of room since the start
 * @param minMs time of the oldest sample, and {@link Long#MAX_VALUE} if there is none
 * @param maxMs time of the newest sample, and {@link Long#MIN_VALUE} if there is none
 * @param keptFromMs samples older than this were dropped for want of room and aren't taken; {@link
 *     Long#MIN_VALUE} if there was room for all
 * @param roomDrops how often data was dropped for want of room since the start
 * @param isFull whether samples and series are refused now, nothing being left to drop
 */
public record HeadStats(
    int series,
    long seriesCreated,
    long seriesRemoved,
    int labelPairs,
    long chunks,
    long bytes,
    long indexBytes,
    long bytesMax,
    Map<AppendOutcome, Long> samples,
    long seriesRefused,
    long minMs,
    long maxMs,
    long keptFromMs,
    long roomDrops,
    boolean isFull) {
  public HeadStats {
    samples = Map.copyOf(samples);
  }

  /** Samples with that outcome since the start. */
  public long samples(AppendOutcome outcome) {
    return samples.getOrDefault(outcome, 0L);
  }
}
