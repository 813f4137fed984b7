package org.inferometer.tsdb.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.io.Disk;
import org.inferometer.model.Labels;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.inferometer.tsdb.chunk.StoredChunk;
import org.jspecify.annotations.Nullable;

/**
 * Writes a block: in a folder with a name that isn't a block's, which gets its name when all of it
 * is there and lasts. Not thread-safe.
 */
public final class BlockWriter implements AutoCloseable {
  /**
   * Of the folder while it is written, as Prometheus has it; such folders are removed at a start.
   */
  public static final String CREATING_SUFFIX = ".tmp-for-creation";

  /** For the statistics of a meta that don't count yet. */
  public static final BlockMeta.Stats NO_STATS = new BlockMeta.Stats(0, 0, 0, 0);

  private final Disk disk;
  private final Path parent;
  private final Ulid ulid;
  private final Path unfinished;
  private final ChunkWriter chunks;
  private final IndexWriter index;
  private final ByteOutput places = new ByteOutput();
  private @Nullable Labels last;
  private long seriesCount;
  private long chunkCount;
  private long sampleCount;
  private boolean isFinished;

  /**
   * @param parent the folder of all blocks
   */
  public BlockWriter(Disk disk, Path parent, Ulid ulid) throws IOException {
    this(disk, parent, ulid, ChunkFormat.FILE_BYTES_MAX);
  }

  /**
   * @param chunkFileBytesMax from this size on another file of chunks is begun
   */
  BlockWriter(Disk disk, Path parent, Ulid ulid, long chunkFileBytesMax) throws IOException {
    this.disk = disk;
    this.parent = parent;
    this.ulid = ulid;
    unfinished = parent.resolve(ulid + CREATING_SUFFIX);
    Path chunkFolder = unfinished.resolve(ChunkFormat.FOLDER);
    disk.delete(unfinished);
    try {
      disk.createFolders(chunkFolder);
      chunks = new ChunkWriter(disk, chunkFolder, chunkFileBytesMax);
      index = new IndexWriter(disk, unfinished);
    } catch (IOException e) {
      remove(unfinished, e);
      throw e;
    }
  }

  /**
   * Adds a series that comes after those before in label order, with chunks that don't overlap. One
   * without chunks isn't written.
   *
   * @throws IllegalArgumentException if it isn't so
   * @throws org.inferometer.tsdb.chunk.CorruptChunkException if a chunk can't be loaded
   */
  public void add(SeriesChunks series) throws IOException {
    if (series.chunks().isEmpty()) {
      return;
    }
    Labels before = last;
    if (before != null && before.compareTo(series.labels()) >= 0) {
      throw new IllegalArgumentException(
          "expected a series after %s, got %s".formatted(before, series.labels()));
    }
    last = series.labels();
    writeChunks(series);
    index.add(series.labels(), places);
    seriesCount++;
  }

  private void writeChunks(SeriesChunks series) throws IOException {
    places.clear();
    places.uvarint(series.chunks().size());
    long previousMaxMs = 0;
    long previousReference = 0;
    boolean isFirst = true;
    for (StoredChunk stored : series.chunks()) {
      Chunk chunk = stored.load();
      checkTimes(series.labels(), previousMaxMs, chunk, isFirst);
      long reference = chunks.write(chunk);
      if (isFirst) {
        places.varint(chunk.minMs());
        places.uvarint(chunk.maxMs() - chunk.minMs());
        places.uvarint(reference);
      } else {
        places.uvarint(chunk.minMs() - previousMaxMs);
        places.uvarint(chunk.maxMs() - chunk.minMs());
        places.varint(reference - previousReference);
      }
      previousMaxMs = chunk.maxMs();
      previousReference = reference;
      isFirst = false;
      chunkCount++;
      sampleCount += chunk.size();
    }
  }

  private static void checkTimes(Labels labels, long afterMs, Chunk chunk, boolean isFirst) {
    if (chunk.minMs() > chunk.maxMs() || (!isFirst && chunk.minMs() <= afterMs)) {
      throw new IllegalArgumentException(
          "expected a chunk of %s after %d, got one from %d to %d"
              .formatted(labels, afterMs, chunk.minMs(), chunk.maxMs()));
    }
  }

  /**
   * Ends the block.
   *
   * @param meta what it is; the statistics in it are replaced by what was counted
   * @return null if no series was added: then there is no block
   */
  public @Nullable BlockMeta finish(BlockMeta meta) throws IOException {
    if (!meta.ulid().equals(ulid)) {
      throw new IllegalArgumentException(
          "expected the meta of %s, got that of %s".formatted(ulid, meta.ulid()));
    }
    if (seriesCount == 0) {
      return null;
    }
    chunks.finish();
    index.finish();
    BlockMeta counted =
        meta.withStats(new BlockMeta.Stats(sampleCount, seriesCount, chunkCount, 0));
    Tombstones.NONE.write(disk, unfinished);
    counted.write(disk, unfinished);
    giveName();
    return counted;
  }

  private void giveName() throws IOException {
    Path block = parent.resolve(ulid.toString());
    disk.rename(unfinished, block);
    try {
      disk.syncFolder(parent);
    } catch (IOException e) {
      takeNameBack(block, e);
      throw e;
    }
    isFinished = true;
  }

  private void takeNameBack(Path block, IOException reason) {
    try {
      disk.rename(block, unfinished);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  /** Removes what was written, unless it was finished. */
  @Override
  public void close() {
    if (isFinished) {
      return;
    }
    IOException problem = new IOException(unfinished + ": not removed");
    closeFiles(problem);
    remove(unfinished, problem);
  }

  private void closeFiles(IOException problem) {
    try (index;
        chunks) {
      last = null;
    } catch (IOException e) {
      problem.addSuppressed(e);
    }
  }

  private void remove(Path folder, IOException problem) {
    try {
      disk.delete(folder);
    } catch (IOException e) {
      problem.addSuppressed(e);
    }
  }

  /** The meta of a block that is cut from a head. */
  public static BlockMeta ofHead(Ulid ulid, long minMs, long maxMs, List<String> hints) {
    return new BlockMeta(ulid, minMs, maxMs, NO_STATS, 1, List.of(ulid), List.of(), hints);
  }
}
