package org.inferometer.tsdb;

import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.chunk.SampleMerge;

/**
 * One series of which several sources have samples. Thread-safe.
 *
 * @param sources the earlier ones first; of two samples with the same time that of the first counts
 */
record MergedSeries(List<Series> sources) implements Series {
  @Override
  public Labels labels() {
    return sources.getFirst().labels();
  }

  @Override
  public void read(long fromMs, long toMs, SampleColumns into) {
    int base = into.size();
    for (Series source : sources) {
      int start = into.size();
      source.read(fromMs, toMs, into);
      SampleMerge.join(into, base, start);
    }
  }
}
