package org.inferometer.tsdb.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.inferometer.io.Disk;
import org.inferometer.model.Matcher;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.tsdb.chunk.SeriesChunks;

/**
 * An immutable directory of chunks and index for a stretch of time, opened for reading. Its files
 * are mapped; what is on the heap is the places of symbols and of postings. Thread-safe. Not used
 * after it is closed: who closes it sees to that.
 */
public final class Block implements Queryable, AutoCloseable {
  private final Path folder;
  private final BlockMeta meta;
  private final Tombstones tombstones;
  private final long sizeBytes;
  private final BlockIndex index;
  private final ChunkFiles chunks;
  private final LongAdder corruptions = new LongAdder();

  private Block(
      Path folder,
      BlockMeta meta,
      Tombstones tombstones,
      long sizeBytes,
      BlockIndex index,
      ChunkFiles chunks) {
    this.folder = folder;
    this.meta = meta;
    this.tombstones = tombstones;
    this.sizeBytes = sizeBytes;
    this.index = index;
    this.chunks = chunks;
  }

  /**
   * Opens a block and checks all of it but the chunks, series and postings, which are checked when
   * they are read.
   *
   * @throws CorruptBlockException if it isn't a whole block
   * @throws IOException if it can't be read for another reason
   */
  public static Block open(Disk disk, Path folder) throws CorruptBlockException, IOException {
    BlockMeta meta = named(BlockMeta.read(disk, folder), folder);
    Tombstones tombstones = Tombstones.read(disk, folder);
    long sizeBytes = disk.size(folder.resolve(BlockMeta.FILE));
    Path marks = folder.resolve(Tombstones.FILE);
    sizeBytes += disk.exists(marks) ? disk.size(marks) : 0;
    BlockIndex index = BlockIndex.open(disk, folder.resolve(IndexFormat.FILE));
    try {
      Path chunkFolder = folder.resolve(ChunkFormat.FOLDER);
      ChunkFiles chunks = ChunkFiles.open(disk, chunkFolder);
      if (chunks.count() == 0 && meta.stats().chunks() > 0) {
        throw new CorruptBlockException(
            "%s: expected files of %d chunks, there are none"
                .formatted(chunkFolder, meta.stats().chunks()));
      }
      sizeBytes += chunks.sizeBytes() + index.contents().file().byteSize();
      return new Block(folder, meta, tombstones, sizeBytes, index, chunks);
    } catch (CorruptBlockException | IOException | RuntimeException e) {
      index.close();
      throw e;
    }
  }

  /**
   * What the folder is named counts: of a block that was copied, or whose file is damaged, the file
   * tells the name of another, and that one would be removed in its place.
   */
  private static BlockMeta named(BlockMeta meta, Path folder) {
    String name = String.valueOf(folder.getFileName());
    return Ulid.isUlid(name) ? meta.withUlid(Ulid.parse(name)) : meta;
  }

  /**
   * Looks at all of a block: sums, order, samples, and whether its parts agree.
   *
   * @throws IOException if it can't be read
   */
  public static BlockReport verify(Disk disk, Path folder) throws IOException {
    return BlockVerifier.verify(disk, folder);
  }

  public BlockMeta meta() {
    return meta;
  }

  public Path folder() {
    return folder;
  }

  /** The bytes of all its files. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Marks that hide samples; not changed while the block is open: a new object replaces this. */
  public Tombstones tombstones() {
    return tombstones;
  }

  /** How many damaged places queries came upon; one that several did counts for each. */
  public long corruptions() {
    return corruptions.sum();
  }

  BlockIndex index() {
    return index;
  }

  ChunkFiles chunks() {
    return chunks;
  }

  /** Samples that tombstones hide aren't seen. Damaged chunks are passed over with a warning. */
  @Override
  public Querier querier(long minMs, long maxMs) {
    long first = Math.max(minMs, meta.minMs());
    long last = Math.min(maxMs, Math.max(meta.minMs(), meta.maxMs() - 1));
    Damages damages = new Damages(meta.ulid().toString(), corruptions);
    return new BlockQuerier(index, chunks, tombstones, damages, first, last);
  }

  /**
   * The tombstones and marks on the samples of the series that pass, ends included. They aren't
   * written.
   */
  public Tombstones withDeleted(List<Matcher> matchers, long minMs, long maxMs) {
    Damages damages = new Damages(meta.ulid().toString(), corruptions);
    return new BlockQuerier(index, chunks, tombstones, damages, minMs, maxMs).deleted(matchers);
  }

  /**
   * All series in label order, with chunks that have a sample from {@code fromMs} to before {@code
   * toMs} perhaps. Chunks on which tombstones lie come decoded without what they hide.
   *
   * @throws org.inferometer.store.StoreException here or by the iterator, if something is damaged;
   *     names file and offset
   */
  public Iterator<SeriesChunks> series(long fromMs, long toMs) {
    return new BlockIterator(index, chunks, tombstones, fromMs, toMs);
  }

  @Override
  public void close() {
    index.close();
    chunks.close();
  }
}
