package org.inferometer.tsdb;

import org.inferometer.model.Labels;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.chunk.Chunk;
import org.jspecify.annotations.Nullable;

/**
 * What a querier selected of one series: chunks that no longer change. Stays readable whatever
 * happens to the series. Thread-safe.
 *
 * @param chunks in ascending time; only the first {@code chunkCount} count
 * @param last the chunk after those
 * @param minMs the first time that is seen
 * @param maxMs the last time that is seen
 */
record HeadSlice(
    Labels labels, Chunk[] chunks, int chunkCount, @Nullable Chunk last, long minMs, long maxMs)
    implements Series {
  @Override
  public void read(long fromMs, long toMs, SampleColumns into) {
    long from = Math.max(fromMs, minMs);
    long to = Math.min(toMs, maxMs);
    for (int i = firstEndingAtOrAfter(from); i < chunkCount && chunks[i].minMs() <= to; i++) {
      chunks[i].read(from, to, into);
    }
    if (last != null) {
      last.read(from, to, into);
    }
  }

  private int firstEndingAtOrAfter(long fromMs) {
    int low = 0;
    int high = chunkCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (chunks[middle].maxMs() < fromMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  boolean isEmpty(SampleColumns scratch) {
    if (last != null && last.hasAny(minMs, maxMs, scratch)) {
      return false;
    }
    for (int i = firstEndingAtOrAfter(minMs); i < chunkCount; i++) {
      if (chunks[i].hasAny(minMs, maxMs, scratch)) {
        return false;
      }
      if (chunks[i].minMs() > maxMs) {
        return true;
      }
    }
    return true;
  }
}
