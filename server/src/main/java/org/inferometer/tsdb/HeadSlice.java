package org.inferometer.tsdb;

import java.util.function.Consumer;
import org.inferometer.model.Labels;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.inferometer.tsdb.chunk.StoredChunk;
import org.jspecify.annotations.Nullable;

/**
 * What a querier selected of one series: chunks that no longer change. Stays readable whatever
 * happens to the series, as long as the querier is open. Thread-safe.
 *
 * @param chunks in ascending time; only the first {@code chunkCount} count
 * @param last the chunk after those
 * @param minMs the first time that is seen
 * @param maxMs the last time that is seen
 * @param warnings is told of chunks in files that can't be read, which are passed over
 */
record HeadSlice(
    Labels labels,
    StoredChunk[] chunks,
    int chunkCount,
    @Nullable Chunk last,
    long minMs,
    long maxMs,
    Consumer<String> warnings)
    implements Series {
  @Override
  public void read(long fromMs, long toMs, SampleColumns into) {
    long from = Math.max(fromMs, minMs);
    long to = Math.min(toMs, maxMs);
    for (int i = firstEndingAtOrAfter(from); i < chunkCount && chunks[i].minMs() <= to; i++) {
      readChunk(chunks[i], from, to, into);
    }
    if (last != null) {
      last.read(from, to, into);
    }
  }

  private void readChunk(StoredChunk chunk, long from, long to, SampleColumns into) {
    try {
      chunk.read(from, to, into);
    } catch (CorruptChunkException e) {
      warnings.accept(labels + ": " + e.getMessage());
    }
  }

  private boolean hasAny(StoredChunk chunk, SampleColumns scratch) {
    try {
      return chunk.hasAny(minMs, maxMs, scratch);
    } catch (CorruptChunkException e) {
      warnings.accept(labels + ": " + e.getMessage());
      return false;
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
      if (hasAny(chunks[i], scratch)) {
        return false;
      }
      if (chunks[i].minMs() > maxMs) {
        return true;
      }
    }
    return true;
  }
}
