package org.inferometer.scrape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.SampleSink;
import org.inferometer.store.StoreException;
import org.jspecify.annotations.Nullable;

/** A store of a few samples that refuses what comes out of order, as the real one does. */
final class MemorySink implements SampleSink {
  private final Map<Labels, Long> refs = new HashMap<>();
  private final Map<Long, TreeMap<Long, Double>> samples = new LinkedHashMap<>();
  private final Map<Long, TreeMap<Long, NativeHistogram>> histograms = new HashMap<>();
  private final Map<Long, Labels> labels = new HashMap<>();
  private long seriesMax = Long.MAX_VALUE;
  private long nextRef = 1;
  private boolean isDiskFull;

  void limitSeries(long max) {
    seriesMax = max;
  }

  void fillDisk(boolean full) {
    isDiskFull = full;
  }

  /** Forgets a series, so that its reference means nothing any more. */
  synchronized void forget(Labels series) {
    Long ref = refs.remove(series);
    if (ref != null) {
      samples.remove(ref);
      labels.remove(ref);
    }
  }

  /** The samples of a series as {@code time:value}, markers as {@code stale}. */
  synchronized List<String> samples(Labels series) {
    List<String> texts = new ArrayList<>();
    Long ref = refs.get(series);
    if (ref != null) {
      samples
          .getOrDefault(ref, new TreeMap<>())
          .forEach((time, value) -> texts.add(time + ":" + text(histogram(ref, time), value)));
    }
    return texts;
  }

  private @Nullable NativeHistogram histogram(long ref, long timeMs) {
    return histograms.getOrDefault(ref, new TreeMap<>()).get(timeMs);
  }

  private static String text(@Nullable NativeHistogram histogram, double value) {
    if (histogram != null) {
      return histogram.toString();
    }
    return StalenessMarker.is(value) ? "stale" : FloatFormat.plain(value);
  }

  synchronized List<String> seriesNames() {
    return refs.keySet().stream().map(Labels::toString).sorted().toList();
  }

  @Override
  public Appender appender() {
    return new Batch();
  }

  private final class Batch implements Appender {
    private record Sample(long ref, long timeMs, double value) {}

    private final List<Sample> batch = new ArrayList<>();
    private boolean ended;

    @Override
    public long series(Labels series) {
      synchronized (MemorySink.this) {
        Long ref = refs.get(series);
        if (ref == null && refs.size() >= seriesMax) {
          return NO_SERIES;
        }
        if (ref == null) {
          ref = nextRef++;
          refs.put(series, ref);
          labels.put(ref, series);
        }
        return ref;
      }
    }

    @Override
    public AppendOutcome append(long ref, long timeMs, NativeHistogram histogram) {
      synchronized (MemorySink.this) {
        AppendOutcome outcome = append(ref, timeMs, Double.NaN);
        if (outcome == AppendOutcome.ACCEPTED) {
          histograms.computeIfAbsent(ref, r -> new TreeMap<>()).put(timeMs, histogram);
        }
        return outcome;
      }
    }

    @Override
    public AppendOutcome append(long ref, long timeMs, double value) {
      synchronized (MemorySink.this) {
        if (!labels.containsKey(ref)) {
          return AppendOutcome.UNKNOWN_SERIES;
        }
        TreeMap<Long, Double> known = samples.getOrDefault(ref, new TreeMap<>());
        if (!known.isEmpty() && timeMs < known.lastKey()) {
          return AppendOutcome.OUT_OF_ORDER;
        }
        if (known.containsKey(timeMs)) {
          return AppendOutcome.DUPLICATE;
        }
        batch.add(new Sample(ref, timeMs, value));
        return AppendOutcome.ACCEPTED;
      }
    }

    @Override
    public void commit() {
      end();
      if (isDiskFull) {
        throw new StoreException("wal/00000003: the disk is full");
      }
      synchronized (MemorySink.this) {
        for (Sample sample : batch) {
          samples
              .computeIfAbsent(sample.ref, r -> new TreeMap<>())
              .putIfAbsent(sample.timeMs, sample.value);
        }
      }
    }

    @Override
    public void rollback() {
      end();
    }

    private void end() {
      if (ended) {
        throw new IllegalStateException("ended twice");
      }
      ended = true;
    }
  }
}
