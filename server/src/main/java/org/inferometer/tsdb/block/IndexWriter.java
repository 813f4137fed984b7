package org.inferometer.tsdb.block;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.inferometer.io.Disk;
import org.inferometer.io.MappedFile;
import org.inferometer.model.Labels;

/**
 * Writes an index file: see {@link BlockIndex} for its format. Since all symbols stand before the
 * series that are made of them, series go to a file of their own at first, with label pairs by
 * number. On the heap are the symbols, the pairs, and four bytes for each pair of each series. Not
 * thread-safe.
 */
final class IndexWriter implements Closeable {
  private static final String SPOOL_FILE = "series.tmp";
  private static final long U32_MAX = 0xffff_ffffL;

  private final Disk disk;
  private final Path folder;
  private final FileOutput spool;
  private final SymbolCollector symbols = new SymbolCollector();
  private final PairCollector pairs = new PairCollector();
  private final ByteOutput entry = new ByteOutput();
  private int seriesCount;

  IndexWriter(Disk disk, Path folder) throws IOException {
    this.disk = disk;
    this.folder = folder;
    spool = new FileOutput(disk, folder.resolve(SPOOL_FILE));
    symbols.number("");
  }

  /**
   * Adds a series.
   *
   * @param chunks how many chunks it has and where, as the file has it
   */
  void add(Labels labels, ByteOutput chunks) throws IOException {
    entry.clear();
    entry.uvarint(labels.size());
    for (int i = 0; i < labels.size(); i++) {
      entry.uvarint(pairs.add(symbols.number(labels.name(i)), symbols.number(labels.value(i))));
    }
    entry.uvarint(chunks.size());
    entry.bytes(chunks.bytes(), chunks.size());
    spool.bytes(entry.bytes(), entry.size());
    seriesCount++;
  }

  /** Writes the file and makes it last. */
  void finish() throws IOException {
    spool.handOver();
    try (FileOutput out = new FileOutput(disk, folder.resolve(IndexFormat.FILE))) {
      new File(out).write();
      out.finish();
    }
    spool.close();
    disk.delete(spool.path());
  }

  @Override
  public void close() throws IOException {
    spool.close();
  }

  /** The file while it is written. */
  private final class File {
    private final FileOutput out;
    private final String[] sorted = symbols.sorted();
    private final int[] places = symbols.places(sorted);
    private final PostingsCollector postings = new PostingsCollector(pairs);
    private final int[] ids = new int[seriesCount];

    File(FileOutput out) {
      this.out = out;
    }

    void write() throws IOException {
      out.u32(IndexFormat.MAGIC);
      out.u8(IndexFormat.VERSION);
      long symbolsAt = out.position();
      writeSymbols();
      long seriesAt = out.position();
      writeSeries();
      long[] order = pairsInOrder();
      out.align(IndexFormat.POSTINGS_ALIGNMENT);
      long postingsAt = out.position();
      long[] offsets = writePostings(order);
      long labelTableAt = out.position();
      writeEmptyTable();
      long postingsTableAt = out.position();
      writePostingsTable(postingsAt, order, offsets);
      out.beginSum();
      out.u64(symbolsAt);
      out.u64(seriesAt);
      out.u64(postingsAt); // Of label indices, which nothing reads, there are none
      out.u64(labelTableAt);
      out.u64(postingsAt);
      out.u64(postingsTableAt);
      out.sum();
    }

    private void writeSymbols() throws IOException {
      long start = beginSection();
      out.u32(sorted.length);
      for (String symbol : sorted) {
        out.text(symbol);
      }
      endSection(start);
    }

    /** Leaves room for the length of a section. */
    private long beginSection() throws IOException {
      out.u32(0);
      out.beginSum();
      return out.position();
    }

    private void endSection(long start) throws IOException {
      long length = out.position() - start;
      out.sum();
      if (length > U32_MAX) {
        throw new IOException(
            "%s: expected a section of at most %d bytes, it has %d"
                .formatted(out.path(), U32_MAX, length));
      }
      out.overwriteU32(start - Integer.BYTES, length);
    }

    private void writeSeries() throws IOException {
      try (MappedFile file = disk.map(spool.path())) {
        MappedInput in = new MappedInput(file.bytes(), 0, file.bytes().byteSize());
        for (int i = 0; i < seriesCount; i++) {
          out.align(IndexFormat.SERIES_ALIGNMENT);
          ids[i] = id(out.position());
          entry.clear();
          copySeries(in, ids[i]);
          out.uvarint(entry.size());
          out.beginSum();
          out.bytes(entry.bytes(), entry.size());
          out.sum();
        }
      }
    }

    private int id(long offset) throws IOException {
      if (offset >= IndexFormat.BYTES_MAX) {
        throw new IOException(out.path() + ": expected at most 32 GiB, there are more series");
      }
      return (int) (offset / IndexFormat.SERIES_ALIGNMENT);
    }

    private void copySeries(MappedInput in, int id) {
      int labels = (int) in.uvarint();
      entry.uvarint(labels);
      for (int i = 0; i < labels; i++) {
        int pair = (int) in.uvarint();
        postings.add(pair, id);
        entry.uvarint(places[pairs.name(pair)]);
        entry.uvarint(places[pairs.value(pair)]);
      }
      byte[] chunks = in.bytes(in.uvarint());
      entry.bytes(chunks, chunks.length);
    }

    /** Each pair as the places of its name and its value, in their order. */
    private long[] pairsInOrder() {
      long[] order = new long[pairs.size()];
      for (int i = 0; i < order.length; i++) {
        order[i] = ((long) places[pairs.name(i)] << 32) | places[pairs.value(i)];
      }
      Arrays.sort(order);
      return order;
    }

    /** Writes the ids of all series, and then those of each pair; returns where those are. */
    private long[] writePostings(long[] order) throws IOException {
      beginPostings(ids.length);
      for (int id : ids) {
        out.u32(id);
      }
      out.sum();
      int[] numbers = numbersByPlace();
      long[] offsets = new long[order.length];
      for (int i = 0; i < order.length; i++) {
        offsets[i] = out.position();
        writePostings(pairs.number(numbers[(int) (order[i] >>> 32)], numbers[(int) order[i]]));
      }
      return offsets;
    }

    private int[] numbersByPlace() {
      int[] numbers = new int[places.length];
      for (int i = 0; i < places.length; i++) {
        numbers[places[i]] = i;
      }
      return numbers;
    }

    private void writePostings(int pair) throws IOException {
      int size = postings.size(pair);
      beginPostings(size);
      for (int i = 0; i < size; i++) {
        out.u32(postings.id(pair, i));
      }
      out.sum();
    }

    /** All that it writes is a multiple of four bytes, so that the next begins aligned. */
    private void beginPostings(int size) throws IOException {
      out.u32(Integer.BYTES + (long) Integer.BYTES * size);
      out.beginSum();
      out.u32(size);
    }

    private void writeEmptyTable() throws IOException {
      out.u32(Integer.BYTES);
      out.beginSum();
      out.u32(0);
      out.sum();
    }

    private void writePostingsTable(long allAt, long[] order, long[] offsets) throws IOException {
      long start = beginSection();
      out.u32(order.length + 1L);
      writeTableEntry("", "", allAt);
      for (int i = 0; i < order.length; i++) {
        writeTableEntry(sorted[(int) (order[i] >>> 32)], sorted[(int) order[i]], offsets[i]);
      }
      endSection(start);
    }

    private void writeTableEntry(String name, String value, long offset) throws IOException {
      out.uvarint(2);
      out.text(name);
      out.text(value);
      out.uvarint(offset);
    }
  }
}
