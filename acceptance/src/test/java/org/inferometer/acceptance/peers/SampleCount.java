package org.inferometer.acceptance.peers;

import java.nio.file.Path;
import java.util.List;
import org.inferometer.io.Disk;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.Store;
import org.inferometer.tsdb.StoreOptions;

/** How many samples a data directory has, as our store reads it. */
final class SampleCount {
  private SampleCount() {}

  static long of(Path data) {
    StoreOptions defaults = StoreOptions.defaults(data);
    StoreOptions options =
        new StoreOptions(
            data,
            true,
            defaults.retentionMs(),
            0,
            defaults.blockMs(),
            defaults.blockMsMax(),
            defaults.head(),
            defaults.wal());
    try (Store store = Store.open(options, Disk.real(), System::currentTimeMillis, line -> {});
        Querier querier = store.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      long count = 0;
      SampleColumns samples = new SampleColumns();
      for (Series series : querier.select(List.of())) {
        samples.clear();
        series.read(Long.MIN_VALUE, Long.MAX_VALUE, samples);
        count += samples.size();
      }
      return count;
    }
  }
}
