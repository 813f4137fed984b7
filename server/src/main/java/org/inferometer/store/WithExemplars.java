package org.inferometer.store;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;

/** A sink that puts samples into one store and their exemplars, once committed, into another. */
public record WithExemplars(SampleSink samples, ExemplarSink exemplars) implements SampleSink {
  @Override
  public Appender appender() {
    return new Both(samples.appender(), exemplars);
  }

  private static final class Both implements Appender {
    private final Appender samples;
    private final ExemplarSink exemplars;
    private final List<Pending> pending = new ArrayList<>(0);

    private record Pending(Labels series, Exemplar exemplar) {}

    Both(Appender samples, ExemplarSink exemplars) {
      this.samples = samples;
      this.exemplars = exemplars;
    }

    @Override
    public long series(Labels labels) {
      return samples.series(labels);
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, double value) {
      return samples.append(seriesRef, timestampMs, value);
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, NativeHistogram histogram) {
      return samples.append(seriesRef, timestampMs, histogram);
    }

    @Override
    public void exemplar(Labels series, Exemplar exemplar) {
      pending.add(new Pending(series, exemplar));
    }

    @Override
    public void commit() {
      samples.commit();
      pending.forEach(p -> exemplars.add(p.series(), p.exemplar()));
    }

    @Override
    public void rollback() {
      samples.rollback();
    }
  }
}
