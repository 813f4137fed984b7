package org.inferometer.tsdb.block;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.ChunkBuilder;
import org.inferometer.tsdb.chunk.ChunkRuns;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.inferometer.tsdb.chunk.StoredChunk;
import org.inferometer.tsdb.index.IdSet;
import org.jspecify.annotations.Nullable;

/** All series of a block with their chunks in a stretch of time. Not thread-safe. */
final class BlockIterator implements Iterator<SeriesChunks> {
  private final BlockIndex index;
  private final ChunkFiles files;
  private final Tombstones tombstones;
  private final long fromMs;
  private final long toMs;
  private final IdSet ids;
  private final SampleColumns columns = new SampleColumns(Chunk.SAMPLES_MAX);
  private int nextId;
  private @Nullable SeriesChunks next;

  /**
   * @param toMs the chunks begin before this
   */
  BlockIterator(BlockIndex index, ChunkFiles files, Tombstones tombstones, long fromMs, long toMs) {
    this.index = index;
    this.files = files;
    this.tombstones = tombstones;
    this.fromMs = fromMs;
    this.toMs = toMs;
    try {
      ids = index.allIds();
    } catch (DamageException e) {
      throw new StoreException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public boolean hasNext() {
    while (next == null && nextId < ids.size()) {
      next = series(ids.get(nextId++));
    }
    return next != null;
  }

  @Override
  public SeriesChunks next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    SeriesChunks result = Objects.requireNonNull(next);
    next = null;
    return result;
  }

  private @Nullable SeriesChunks series(int id) {
    try {
      SeriesEntry entry = index.series(id);
      List<StoredChunk> chunks = chunks(entry, tombstones.of(id));
      return chunks.isEmpty() ? null : new SeriesChunks(entry.labels(), chunks);
    } catch (DamageException | CorruptChunkException e) {
      throw new StoreException(String.valueOf(e.getMessage()), e);
    }
  }

  private List<StoredChunk> chunks(SeriesEntry entry, long[] deleted) {
    List<StoredChunk> chunks = new ArrayList<>(entry.chunkCount());
    boolean isSorted = true;
    long lastMs = Long.MIN_VALUE;
    for (int i = 0; i < entry.chunkCount(); i++) {
      if (entry.maxMs(i) >= fromMs && entry.minMs(i) < toMs) {
        BlockChunk chunk =
            new BlockChunk(files, entry.reference(i), entry.minMs(i), entry.maxMs(i));
        isSorted &= lastMs <= chunk.minMs();
        lastMs = chunk.minMs();
        add(chunk, deleted, chunks);
      }
    }
    if (!isSorted) {
      chunks.sort(Comparator.comparingLong(StoredChunk::minMs));
    }
    return chunks;
  }

  private void add(BlockChunk chunk, long[] deleted, List<StoredChunk> chunks) {
    if (!Tombstones.touches(deleted, chunk.minMs(), chunk.maxMs())) {
      chunks.add(chunk);
    } else if (!Tombstones.covers(deleted, chunk.minMs(), chunk.maxMs())) {
      columns.clear();
      chunk.load().read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      Tombstones.removeFrom(columns, 0, deleted);
      ChunkRuns.of(columns).stream().map(ChunkBuilder::seal).forEach(chunks::add);
    }
  }
}
