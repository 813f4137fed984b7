package org.inferometer.tsdb.block;

import java.time.Instant;
import org.inferometer.model.Labels;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.inferometer.tsdb.chunk.SampleMerge;

/**
 * A series of a block within a querier's stretch of time. Chunks are decoded straight from the
 * mapped files. Thread-safe.
 */
final class BlockSeries implements Series {
  private final ChunkFiles files;
  private final Damages damages;
  private final Labels labels;
  private final SeriesEntry entry;
  private final long[] deleted;
  private final long minMs;
  private final long maxMs;

  /**
   * @param deleted stretches of time without samples
   * @param minMs the querier's stretch of time, which ends with {@code maxMs}
   */
  BlockSeries(
      ChunkFiles files,
      Damages damages,
      Labels labels,
      SeriesEntry entry,
      long[] deleted,
      long minMs,
      long maxMs) {
    this.files = files;
    this.damages = damages;
    this.labels = labels;
    this.entry = entry;
    this.deleted = deleted;
    this.minMs = minMs;
    this.maxMs = maxMs;
  }

  @Override
  public Labels labels() {
    return labels;
  }

  /** Whether it has a sample in the stretch. Most can tell by the times of their chunks. */
  boolean hasAny() {
    boolean isOpen = false;
    for (int i = 0; i < entry.chunkCount(); i++) {
      if (isWanted(i, minMs, maxMs)) {
        if (hasSurely(entry.minMs(i)) || hasSurely(entry.maxMs(i))) {
          return true;
        }
        isOpen = true;
      }
    }
    return isOpen && hasAnyDecoded();
  }

  private boolean hasSurely(long timeMs) {
    return minMs <= timeMs && timeMs <= maxMs && !Tombstones.touches(deleted, timeMs, timeMs);
  }

  private boolean hasAnyDecoded() {
    SampleColumns samples = new SampleColumns(Chunk.SAMPLES_MAX);
    read(minMs, maxMs, samples);
    return samples.size() > 0;
  }

  /** Whether a chunk may have samples of a stretch of time that aren't all deleted. */
  private boolean isWanted(int chunk, long fromMs, long toMs) {
    long firstMs = entry.minMs(chunk);
    long lastMs = entry.maxMs(chunk);
    return firstMs <= toMs
        && lastMs >= fromMs
        && !Tombstones.covers(deleted, Math.max(fromMs, firstMs), Math.min(toMs, lastMs));
  }

  @Override
  public void read(long fromMs, long toMs, SampleColumns into) {
    long from = Math.max(fromMs, minMs);
    long to = Math.min(toMs, maxMs);
    int start = into.size();
    boolean knowsPast = deleted.length == 0;
    for (int i = 0; i < entry.chunkCount(); i++) {
      if (isWanted(i, from, to)) {
        knowsPast = read(i, from, to, into, start, knowsPast) && deleted.length == 0;
      }
    }
    Tombstones.removeFrom(into, start, deleted);
  }

  /**
   * Reads a chunk.
   *
   * @param start where the columns' samples of this series begin
   * @param knowsPast whether the sample before the chunk's first is the one that came before it
   * @return whether the next chunk knows its past
   */
  private boolean read(
      int chunk, long fromMs, long toMs, SampleColumns into, int start, boolean knowsPast) {
    int middle = into.size();
    try {
      Chunk loaded = files.load(entry.reference(chunk), entry.minMs(chunk), entry.maxMs(chunk));
      (knowsPast ? loaded : loaded.withoutPast()).read(fromMs, toMs, into);
    } catch (CorruptChunkException | InternalError e) {
      into.resize(middle);
      damages.add(located(chunk, e), missing(chunk));
      return false;
    }
    if (start < middle
        && middle < into.size()
        && into.timestampMs(middle) <= into.timestampMs(middle - 1)) {
      SampleMerge.join(into, start, middle);
      return false;
    }
    return true;
  }

  /**
   * An exception of the decoder doesn't know where its bytes are from. Neither does one that comes
   * later than the access to a file that was cut off.
   */
  private Throwable located(int chunk, Throwable e) {
    String place = files.place(entry.reference(chunk));
    return String.valueOf(e.getMessage()).startsWith(place)
        ? e
        : new CorruptChunkException(place + ": " + e.getMessage(), e);
  }

  private String missing(int chunk) {
    return "samples of %s from %s to %s are missing"
        .formatted(
            labels,
            Instant.ofEpochMilli(entry.minMs(chunk)),
            Instant.ofEpochMilli(entry.maxMs(chunk)));
  }
}
