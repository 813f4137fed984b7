package org.inferometer.tsdb.chunk;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.store.SampleColumns;

/**
 * Encodes samples that were decoded and changed: into one chunk if one holds them all, into two of
 * about the same size if that would be too large, and into more where their kinds or layouts need
 * it. Not thread-safe.
 */
public final class ChunkRuns {
  private final SampleColumns columns;
  private final List<ChunkBuilder> runs = new ArrayList<>();

  private ChunkRuns(SampleColumns columns) {
    this.columns = columns;
  }

  /**
   * The runs in order of time; none for no samples. What the first histogram's hint says of the
   * sample before it is kept.
   */
  public static List<ChunkBuilder> of(SampleColumns columns) {
    ChunkRuns all = new ChunkRuns(columns);
    int from = 0;
    while (from < columns.size()) {
      from = all.addRun(from, columns.size());
    }
    return all.runs;
  }

  /** Adds a run that begins at an index and ends before another at the latest; returns its end. */
  private int addRun(int from, int to) {
    ChunkBuilder run = encode(from, to);
    if (run.isOverfull()) {
      return addRun(from, from + run.size() / 2);
    }
    runs.add(run);
    return from + run.size();
  }

  private ChunkBuilder encode(int from, int to) {
    ChunkBuilder run = begin(from);
    for (int i = from + 1; i < to; i++) {
      ChunkBuilder next = run.with(columns.timestampMs(i), columns.value(i), columns.histogram(i));
      if (next == null) {
        return run;
      }
      run = next;
    }
    return run;
  }

  private ChunkBuilder begin(int from) {
    var histogram = columns.histogram(from);
    return from == 0 && histogram != null
        ? HistogramChunkBuilder.again(columns.timestampMs(0), histogram)
        : ChunkBuilder.begin(
            runs.isEmpty() ? null : runs.getLast(),
            columns.timestampMs(from),
            columns.value(from),
            histogram);
  }
}
