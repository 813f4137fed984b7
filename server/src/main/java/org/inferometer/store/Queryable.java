package org.inferometer.store;

/** Anything that holds series: the head, a block, a snapshot, a series file. Thread-safe. */
@FunctionalInterface
public interface Queryable {
  /** A querier over samples with {@code minMs <= t <= maxMs}. */
  Querier querier(long minMs, long maxMs);
}
