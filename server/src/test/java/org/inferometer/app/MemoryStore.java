package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.SampleSink;
import org.inferometer.store.StoreException;

/** Takes samples of a batch all or none, as a store does, and keeps them in memory. */
final class MemoryStore implements SampleSink {
  private final MemorySeries series = new MemorySeries();

  /** Whether nothing can be kept. */
  volatile boolean isFull;

  MemorySeries series() {
    return series;
  }

  @Override
  public Appender appender() {
    return new Batch();
  }

  private final class Batch implements Appender {
    private final List<Labels> labels = new ArrayList<>();
    private final List<Runnable> samples = new ArrayList<>();

    @Override
    public long series(Labels of) {
      labels.add(of);
      return labels.size();
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, double value) {
      Labels of = labels.get((int) seriesRef - 1);
      samples.add(() -> series.add(of, timestampMs, value));
      return AppendOutcome.ACCEPTED;
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, NativeHistogram histogram) {
      throw new IllegalStateException("expected floats");
    }

    @Override
    public void commit() {
      if (isFull) {
        throw new StoreException("the disk is full");
      }
      samples.forEach(Runnable::run);
    }

    @Override
    public void rollback() {}
  }
}
