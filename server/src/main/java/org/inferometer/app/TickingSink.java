package org.inferometer.app;

import org.inferometer.api.Ticks;
import org.inferometer.model.Labels;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.SampleSink;
import org.inferometer.time.WallClock;

/** Passes batches on, and tells the pages when one has been committed. */
record TickingSink(SampleSink sink, Ticks ticks, WallClock clock) implements SampleSink {
  @Override
  public Appender appender() {
    Appender appender = sink.appender();
    return new Appender() {
      @Override
      public long series(Labels labels) {
        return appender.series(labels);
      }

      @Override
      public AppendOutcome append(long seriesRef, long timestampMs, double value) {
        return appender.append(seriesRef, timestampMs, value);
      }

      @Override
      public void commit() {
        appender.commit();
        ticks.tick(clock.nowMs());
      }

      @Override
      public void rollback() {
        appender.rollback();
      }
    };
  }
}
