package org.inferometer.app;

import java.util.concurrent.TimeUnit;
import org.inferometer.store.Appender;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleSink;
import org.inferometer.tsdb.Head;
import org.inferometer.tsdb.HeadOptions;
import org.inferometer.tsdb.HeadStats;

/** All that was scraped in a stretch of time, in memory. Thread-safe. */
final class RecordedSeries implements SampleSink, Queryable {
  /** Longer than any stretch that fits into memory. */
  private static final long STRETCH_MS_MAX = TimeUnit.DAYS.toMillis(3_650);

  /** The rest of the heap is for the simulation, and for what is written out. */
  private static final int HEAP_PARTS = 2;

  private final Head head;

  /**
   * @param startMs before all samples
   */
  RecordedSeries(long startMs) {
    this(startMs, Runtime.getRuntime().maxMemory() / HEAP_PARTS);
  }

  RecordedSeries(long startMs, long bytesMax) {
    HeadOptions defaults = HeadOptions.defaults();
    head =
        new Head(
            new HeadOptions(
                STRETCH_MS_MAX,
                defaults.chunkRangeMs(),
                0,
                STRETCH_MS_MAX,
                defaults.seriesMax(),
                bytesMax,
                0),
            () -> startMs);
  }

  @Override
  public Appender appender() {
    return head.appender();
  }

  @Override
  public Querier querier(long minMs, long maxMs) {
    return head.querier(minMs, maxMs);
  }

  /** Whether all that was given is there. */
  boolean isWhole() {
    HeadStats stats = head.stats();
    return stats.roomDrops() == 0 && stats.seriesRefused() == 0 && !stats.isFull();
  }

  int series() {
    return head.stats().series();
  }
}
