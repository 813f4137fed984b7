package org.inferometer.tsdb;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.tsdb.block.BlockWriter;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.ChunkBuilder;
import org.inferometer.tsdb.chunk.SeriesChunks;

/**
 * Sorts the samples of a stretch of time by series and writes them: as many series at once as fit
 * into memory, but one at least. All samples are read again for each such group. Not thread-safe.
 */
final class BlockImportPass {
  /** A timestamp, a value, and room for sorting both. */
  private static final int SAMPLE_BYTES = 32;

  private static final int NOT_IN_GROUP = -1;

  private final List<Labels> series;
  private final int[] inLabelOrder;
  private final long samplesMax;
  private final SampleSorter sorter = new SampleSorter();

  // By series.
  private final int[] counts;
  private final int[] ends;

  private long[] timestampsMs = {};
  private double[] values = {};

  /**
   * @param inLabelOrder the numbers of the series by their labels
   */
  BlockImportPass(List<Labels> series, int[] inLabelOrder, long memoryBytes) {
    this.series = series;
    this.inLabelOrder = inLabelOrder;
    this.samplesMax = memoryBytes / SAMPLE_BYTES;
    this.counts = new int[series.size()];
    this.ends = new int[series.size()];
  }

  long repeated() {
    return sorter.repeated();
  }

  long contradicting() {
    return sorter.contradicting();
  }

  /** Adds all samples to a block. */
  void write(UnsortedSamples samples, BlockWriter writer) throws IOException {
    Arrays.fill(counts, 0);
    samples.forEach((id, _, _) -> counts[id] = Math.incrementExact(counts[id]));
    int from = 0;
    while (from < inLabelOrder.length) {
      int to = groupEnd(from);
      collect(samples, from, to);
      for (int i = from; i < to; i++) {
        write(inLabelOrder[i], writer);
      }
      from = to;
    }
  }

  private int groupEnd(int from) {
    long total = 0;
    int to = from;
    while (to < inLabelOrder.length
        && (total == 0 || total + counts[inLabelOrder[to]] <= samplesMax)) {
      total += counts[inLabelOrder[to++]];
    }
    return to;
  }

  /** Puts the samples of the series of a group side by side. */
  private void collect(UnsortedSamples samples, int from, int to) throws IOException {
    Arrays.fill(ends, NOT_IN_GROUP);
    int total = 0;
    for (int i = from; i < to; i++) {
      ends[inLabelOrder[i]] = total;
      total = Math.addExact(total, counts[inLabelOrder[i]]);
    }
    if (timestampsMs.length < total) {
      timestampsMs = new long[total];
      values = new double[total];
    }
    samples.forEach(
        (id, timestampMs, value) -> {
          if (ends[id] != NOT_IN_GROUP) {
            timestampsMs[ends[id]] = timestampMs;
            values[ends[id]++] = value;
          }
        });
  }

  private void write(int id, BlockWriter writer) throws IOException {
    if (counts[id] == 0) {
      return;
    }
    int from = ends[id] - counts[id];
    int to = sorter.sort(timestampsMs, values, from, ends[id]);
    writer.add(new SeriesChunks(series.get(id), chunks(from, to)));
  }

  private List<Chunk> chunks(int from, int to) {
    List<Chunk> chunks = new ArrayList<>();
    ChunkBuilder builder = ChunkBuilder.begin(null, timestampsMs[from], values[from], null);
    for (int i = from + 1; i < to; i++) {
      ChunkBuilder next = builder.isFull() ? null : builder.with(timestampsMs[i], values[i], null);
      if (next == null) {
        chunks.add(builder.seal());
        next = ChunkBuilder.begin(builder, timestampsMs[i], values[i], null);
      }
      builder = next;
    }
    chunks.add(builder.seal());
    return chunks;
  }
}
