package org.inferometer.remote;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.SampleSink;

/** Notes what is committed; samples are refused by their value's name among the outcomes. */
final class FakeSink implements SampleSink {
  final List<String> committed = new ArrayList<>();
  final Map<Double, AppendOutcome> outcomesByValue = new HashMap<>();
  final List<String> exemplars = new ArrayList<>();
  int rollbacks;
  long seriesMax = Long.MAX_VALUE;

  /** References that mean nothing any more. */
  long forgottenBelow;

  private final Map<Labels, Long> refs = new HashMap<>();
  private final Map<Long, Labels> byRef = new HashMap<>();
  private long nextRef = 1;

  @Override
  public Appender appender() {
    return new Batch();
  }

  private final class Batch implements Appender {
    private final List<String> batch = new ArrayList<>();
    private final List<String> batchExemplars = new ArrayList<>();

    @Override
    public long series(Labels labels) {
      Long known = refs.get(labels);
      if (known != null && known >= forgottenBelow) {
        return known;
      }
      if (refs.size() >= seriesMax) {
        return NO_SERIES;
      }
      long ref = nextRef++;
      refs.put(labels, ref);
      byRef.put(ref, labels);
      return ref;
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, double value) {
      String text = StalenessMarker.is(value) ? "stale" : Double.toString(value);
      return take(
          seriesRef,
          timestampMs + " " + text,
          outcomesByValue.getOrDefault(value, AppendOutcome.ACCEPTED));
    }

    @Override
    public AppendOutcome append(long seriesRef, long timestampMs, NativeHistogram histogram) {
      return take(
          seriesRef,
          timestampMs + " " + histogram + " " + histogram.resetHint(),
          AppendOutcome.ACCEPTED);
    }

    private AppendOutcome take(long seriesRef, String text, AppendOutcome outcome) {
      if (seriesRef < forgottenBelow) {
        return AppendOutcome.UNKNOWN_SERIES;
      }
      if (outcome == AppendOutcome.ACCEPTED) {
        batch.add(byRef.get(seriesRef) + " " + text);
      }
      return outcome;
    }

    @Override
    public void exemplar(Labels series, Exemplar exemplar) {
      batchExemplars.add(series + " " + exemplar.labels() + " " + exemplar.value());
    }

    @Override
    public void commit() {
      committed.addAll(batch);
      exemplars.addAll(batchExemplars);
    }

    @Override
    public void rollback() {
      rollbacks++;
    }
  }
}
