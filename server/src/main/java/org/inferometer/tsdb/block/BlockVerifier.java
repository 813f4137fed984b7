package org.inferometer.tsdb.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.io.Disk;
import org.inferometer.model.Labels;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.inferometer.tsdb.index.IdSet;
import org.jspecify.annotations.Nullable;

/** Looks at all of a block: sums, order, samples, and whether its parts agree. */
final class BlockVerifier {
  private static final int PROBLEMS_MAX = 100;

  private final Block block;
  private final BlockIndex index;
  private final Path indexPath;
  private final List<String> problems = new ArrayList<>();
  private long problemCount;
  private long seriesCount;
  private long chunkCount;
  private long sampleCount;
  private long pairCount;

  private BlockVerifier(Block block) {
    this.block = block;
    index = block.index();
    indexPath = index.contents().path();
  }

  static BlockReport verify(Disk disk, Path folder) throws IOException {
    try (Block block = Block.open(disk, folder)) {
      BlockVerifier verifier = new BlockVerifier(block);
      verifier.verify();
      return verifier.report();
    } catch (CorruptBlockException e) {
      BlockMeta.Stats nothing = BlockWriter.NO_STATS;
      return new BlockReport(List.of(String.valueOf(e.getMessage())), 1, nothing, 0);
    }
  }

  private BlockReport report() {
    long tombstones = block.tombstones().count();
    BlockMeta.Stats found = new BlockMeta.Stats(sampleCount, seriesCount, chunkCount, tombstones);
    return new BlockReport(problems, problemCount, found, block.sizeBytes());
  }

  private void problem(String text) {
    problemCount++;
    if (problems.size() < PROBLEMS_MAX) {
      problems.add(text);
    }
  }

  private void problem(Throwable e) {
    problem(String.valueOf(e.getMessage()));
  }

  private void verify() {
    verifySymbols();
    IdSet ids = allIds();
    verifySeries(ids);
    verifyPostings();
    verifyTombstones(ids);
    verifyStats();
  }

  private void verifySymbols() {
    SymbolTable symbols = index.symbols();
    byte[] before = {};
    for (int i = 0; i < symbols.size(); i++) {
      byte[] symbol = symbols.bytes(i);
      if (i > 0 && Arrays.compareUnsigned(before, symbol) >= 0) {
        problem(
            "%s: expected a symbol after the one before at offset %d, got \"%s\""
                .formatted(indexPath, symbols.offset(i), symbols.get(i)));
      }
      before = symbol;
    }
  }

  private IdSet allIds() {
    try {
      return index.allIds();
    } catch (DamageException e) {
      problem(e);
      return IdSet.EMPTY;
    }
  }

  private void verifySeries(IdSet ids) {
    Labels before = null;
    for (int i = 0; i < ids.size(); i++) {
      SeriesEntry entry = series(ids.get(i));
      if (entry != null) {
        before = verifySeries(ids.get(i), entry, before);
      }
    }
  }

  private @Nullable SeriesEntry series(int id) {
    try {
      return index.series(id);
    } catch (DamageException e) {
      problem(e);
      return null;
    }
  }

  private Labels verifySeries(int id, SeriesEntry entry, @Nullable Labels before) {
    seriesCount++;
    pairCount += entry.labelCount();
    Labels labels = entry.labels();
    if (before != null && before.compareTo(labels) >= 0) {
      problem("%s: expected a series after %s, got %s".formatted(place(id), before, labels));
    }
    for (int i = 1; i < entry.labelCount(); i++) {
      if (entry.nameNumber(i) <= entry.nameNumber(i - 1)) {
        problem("%s: expected labels in order, got %s".formatted(place(id), labels));
      }
    }
    for (int i = 0; i < entry.chunkCount(); i++) {
      verifyChunk(id, entry, i);
    }
    return labels;
  }

  private String place(int id) {
    return "%s at offset %d".formatted(indexPath, (long) id * IndexFormat.SERIES_ALIGNMENT);
  }

  private void verifyChunk(int id, SeriesEntry entry, int number) {
    long minMs = entry.minMs(number);
    long maxMs = entry.maxMs(number);
    chunkCount++;
    if (number > 0 && minMs <= entry.maxMs(number - 1)) {
      problem(
          "%s: expected a chunk after %d, got one from %d"
              .formatted(place(id), entry.maxMs(number - 1), minMs));
    }
    if (minMs < block.meta().minMs() || maxMs >= block.meta().maxMs()) {
      problem(
          "%s: expected a chunk from %d to before %d, got one from %d to %d"
              .formatted(place(id), block.meta().minMs(), block.meta().maxMs(), minMs, maxMs));
    }
    verifySamples(entry.reference(number), minMs, maxMs);
  }

  private void verifySamples(long reference, long minMs, long maxMs) {
    try {
      Chunk stored = block.chunks().load(reference, minMs, maxMs);
      Chunk read = Chunk.parse(stored.encoding(), stored.toBytes());
      sampleCount += read.size();
      if (read.minMs() != minMs || read.maxMs() != maxMs) {
        problem(
            "%s: expected samples from %d to %d, got %d to %d"
                .formatted(
                    block.chunks().place(reference), minMs, maxMs, read.minMs(), read.maxMs()));
      }
    } catch (CorruptChunkException e) {
      String place = block.chunks().place(reference);
      String text = String.valueOf(e.getMessage());
      problem(text.startsWith(place) ? text : place + ": " + text);
    }
  }

  /** Each series is in the postings of its pairs if those only have such and add up. */
  private void verifyPostings() {
    long total = 0;
    for (String name : index.labelNames()) {
      PostingsTable.Label label = index.label(name);
      for (int i = label == null ? 0 : label.from(); label != null && i < label.to(); i++) {
        total += verifyPostings(name, i);
      }
    }
    if (total != pairCount && problemCount == 0) {
      problem(
          "%s: expected postings of %d label pairs in all, got %d"
              .formatted(indexPath, pairCount, total));
    }
  }

  private int verifyPostings(String name, int entry) {
    try {
      IdSet ids = index.postingsTable().ids(entry);
      String value = index.postingsTable().value(entry);
      for (int i = 0; i < ids.size(); i++) {
        verifyPosting(name, value, entry, ids.get(i));
      }
      return ids.size();
    } catch (DamageException e) {
      problem(e);
      return 0;
    }
  }

  private void verifyPosting(String name, String value, int entry, int id) {
    String actual = index.series(id).value(name);
    if (!actual.equals(value)) {
      problem(
          "%s at offset %d: expected series with %s=\"%s\", got one with \"%s\""
              .formatted(
                  indexPath, index.postingsTable().postingsOffset(entry), name, value, actual));
    }
  }

  private void verifyTombstones(IdSet ids) {
    Path path = block.folder().resolve(Tombstones.FILE);
    for (long id : block.tombstones().bySeries().keySet()) {
      if (id != (int) id || Arrays.binarySearch(ids.ids(), 0, ids.size(), (int) id) < 0) {
        problem("%s: expected marks on series of the index, got %d".formatted(path, id));
      }
    }
  }

  private void verifyStats() {
    BlockMeta.Stats told = block.meta().stats();
    if (told.samples() != sampleCount
        || told.series() != seriesCount
        || told.chunks() != chunkCount) {
      problem(
          "%s: expected %d series, %d chunks, %d samples, got %d, %d, %d"
              .formatted(
                  block.folder().resolve(BlockMeta.FILE),
                  seriesCount,
                  chunkCount,
                  sampleCount,
                  told.series(),
                  told.chunks(),
                  told.samples()));
    }
  }
}
