package org.inferometer.tsdb.wal;

/**
 * What of a log's past is still needed.
 *
 * @see Wal#checkpoint
 */
public interface CheckpointFilter {
  /** Whether a series may still be referred to, by what is kept or by later records. */
  boolean keepsSeries(long ref);

  /** Samples and exemplars before this time are dropped, and tombstones that end before it. */
  long keptFromMs();
}
