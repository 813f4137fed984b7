package org.inferometer.tsdb.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.io.Disk;
import org.inferometer.io.MappedFile;
import org.inferometer.tsdb.index.IdSet;
import org.jspecify.annotations.Nullable;

/**
 * An index file that is mapped: symbols, series, postings. Thread-safe.
 *
 * <pre>
 * index      magic 0xbaaad700 (4 bytes)  version 2 (1 byte)
 *            symbols  series*  label index*  postings*  label table  postings table  contents
 * symbols    section of: count (4 bytes), each as length (uvarint) and UTF-8, ascending
 * series     zeros up to a multiple of 16; its id is the offset / 16
 *            length (uvarint)
 *            label count (uvarint)  numbers of the symbols of name and value (uvarint each)*
 *            chunk count (uvarint)  chunk*
 *            CRC32C (4 bytes) of all but the length
 * chunk      first: first time (varint)  last - first time (uvarint)  reference (uvarint)
 *            other: first time - last of the chunk before (uvarint)  last - first time (uvarint)
 *                   reference - that of the chunk before (varint)
 * postings   section of: count (4 bytes)  ids of series, ascending (4 bytes each)
 * postings   section of: count (4 bytes), each as 2 (1 byte)  name  value  offset of the postings
 *   table    (uvarint); by name and value; the first is "", "", all series
 * contents   offsets of symbols, series, label indexes, label table, postings, postings table
 *            (8 bytes each)  CRC32C (4 bytes)
 * section    length (4 bytes)  ...  CRC32C (4 bytes) of all but the length
 * </pre>
 *
 * Label indexes and their table say nothing that the postings table doesn't; they aren't read. The
 * format is described in prometheus/prometheus {@code tsdb/docs/format/index.md}.
 */
final class BlockIndex implements AutoCloseable {
  private final MappedFile file;
  private final IndexContents contents;
  private final SymbolTable symbols;
  private final PostingsTable postings;
  private final SeriesSection series;

  private BlockIndex(
      MappedFile file, IndexContents contents, SymbolTable symbols, PostingsTable postings) {
    this.file = file;
    this.contents = contents;
    this.symbols = symbols;
    this.postings = postings;
    series = new SeriesSection(contents, symbols);
  }

  /** Opens a file and checks all of it but series and postings. */
  static BlockIndex open(Disk disk, Path path) throws CorruptBlockException, IOException {
    long size = disk.exists(path) ? disk.size(path) : 0;
    if (size < IndexFormat.HEAD_BYTES + IndexFormat.CONTENTS_BYTES) {
      throw new CorruptBlockException(
          "%s: expected an index of %d bytes at least, got %d"
              .formatted(path, IndexFormat.HEAD_BYTES + IndexFormat.CONTENTS_BYTES, size));
    }
    if (size > IndexFormat.BYTES_MAX) {
      throw new CorruptBlockException(
          "%s: expected an index of 32 GiB at most, got %d bytes".formatted(path, size));
    }
    MappedFile file = disk.map(path);
    boolean isOpen = false;
    try {
      IndexContents contents = IndexContents.read(path, file.bytes());
      BlockIndex index =
          new BlockIndex(file, contents, SymbolTable.read(contents), PostingsTable.read(contents));
      isOpen = true;
      return index;
    } catch (DamageException e) {
      throw new CorruptBlockException(e.text(), e);
    } catch (IndexOutOfBoundsException | IllegalArgumentException | InternalError e) {
      throw new CorruptBlockException(path + ": " + e.getMessage(), e);
    } finally {
      if (!isOpen) {
        file.close();
      }
    }
  }

  IndexContents contents() {
    return contents;
  }

  SymbolTable symbols() {
    return symbols;
  }

  PostingsTable postingsTable() {
    return postings;
  }

  /** The names of all labels, in order. */
  List<String> labelNames() {
    return postings.names();
  }

  PostingsTable.@Nullable Label label(String name) {
    return postings.label(name);
  }

  /**
   * The ids of all series.
   *
   * @throws DamageException if they can't be read
   */
  IdSet allIds() {
    return postings.allIds();
  }

  /**
   * A series.
   *
   * @throws DamageException if it can't be read
   */
  SeriesEntry series(int id) {
    return series.read(id);
  }

  @Override
  public void close() {
    file.close();
  }
}
