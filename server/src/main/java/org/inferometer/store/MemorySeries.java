package org.inferometer.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.Utf8Order;
import org.jspecify.annotations.Nullable;

/**
 * Series held as plain sorted arrays, without limits or encoding and with an index of metric names
 * only: what a script or a series file fills once and queries then read. Thread-safe. Samples may
 * come in any order; of two with the same timestamp the later call wins. A querier sees samples
 * that are added while it is open.
 */
public final class MemorySeries implements Queryable {
  private final ConcurrentSkipListMap<Labels, Samples> seriesByLabels =
      new ConcurrentSkipListMap<>();

  /** The same by metric name, since nearly every selector names one. */
  private final ConcurrentHashMap<String, ConcurrentSkipListMap<Labels, Samples>> seriesByName =
      new ConcurrentHashMap<>();

  public void add(Labels labels, long timestampMs, double value) {
    add(labels, timestampMs, 0, value);
  }

  public void add(Labels labels, long timestampMs, NativeHistogram histogram) {
    add(labels, timestampMs, 0, histogram);
  }

  /**
   * @param startMs when what the sample counts began; 0 if that isn't known
   */
  public void add(Labels labels, long timestampMs, long startMs, double value) {
    samples(labels).put(timestampMs, startMs, value, null);
  }

  /**
   * @param startMs when what the sample counts began; 0 if that isn't known
   */
  public void add(Labels labels, long timestampMs, long startMs, NativeHistogram histogram) {
    samples(labels).put(timestampMs, startMs, Double.NaN, histogram);
  }

  private Samples samples(Labels labels) {
    Samples known = seriesByLabels.get(labels);
    if (known != null) {
      return known;
    }
    Samples samples = seriesByLabels.computeIfAbsent(labels, Samples::new);
    seriesByName
        .computeIfAbsent(labels.metricName(), _ -> new ConcurrentSkipListMap<>())
        .put(labels, samples);
    return samples;
  }

  /** How many series there are. */
  public int size() {
    return seriesByLabels.size();
  }

  public void clear() {
    seriesByLabels.clear();
    seriesByName.clear();
  }

  @Override
  public Querier querier(long minMs, long maxMs) {
    return new Stretch(minMs, maxMs);
  }

  /** The samples of one series. */
  private static final class Samples {
    private final Labels labels;
    private final SampleColumns columns = new SampleColumns(16);

    Samples(Labels labels) {
      this.labels = labels;
    }

    synchronized void put(
        long timestampMs, long startMs, double value, @Nullable NativeHistogram histogram) {
      NativeHistogram known =
          histogram == null ? null : KnownResets.after(before(timestampMs), histogram);
      columns.setStart(columns.put(timestampMs, value, known), startMs);
    }

    private @Nullable NativeHistogram before(long timestampMs) {
      int index = columns.firstAtOrAfter(timestampMs) - 1;
      return index < 0 ? null : columns.histogram(index);
    }

    synchronized boolean hasAny(long fromMs, long toMs) {
      int first = columns.firstAtOrAfter(fromMs);
      return first < columns.size() && columns.timestampMs(first) <= toMs;
    }

    synchronized void read(long fromMs, long toMs, SampleColumns into) {
      int from = columns.firstAtOrAfter(fromMs);
      int to = toMs == Long.MAX_VALUE ? columns.size() : columns.firstAtOrAfter(toMs + 1, from);
      into.addAll(columns, from, to);
    }
  }

  private final class Stretch implements Querier {
    private final long minMs;
    private final long maxMs;

    Stretch(long minMs, long maxMs) {
      this.minMs = minMs;
      this.maxMs = maxMs;
    }

    @Override
    public List<Series> select(List<Matcher> matchers) {
      List<Series> selected = new ArrayList<>();
      candidates(matchers)
          .forEach(
              (labels, samples) -> {
                if (isMeant(matchers, labels) && samples.hasAny(minMs, maxMs)) {
                  selected.add(new Selected(samples, minMs, maxMs));
                }
              });
      return selected;
    }

    /** Those of the name that is asked for, if one is; in the same order as all. */
    private Map<Labels, Samples> candidates(List<Matcher> matchers) {
      for (Matcher matcher : matchers) {
        boolean isName = matcher.name().equals(Labels.NAME) && !matcher.value().isEmpty();
        if (isName && matcher.type() == Matcher.Type.EQUAL) {
          Map<Labels, Samples> named = seriesByName.get(matcher.value());
          return named == null ? Map.of() : named;
        }
      }
      return seriesByLabels;
    }

    private static boolean isMeant(List<Matcher> matchers, Labels labels) {
      for (Matcher matcher : matchers) {
        if (!matcher.matches(labels)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public List<String> labelNames(List<Matcher> matchers) {
      TreeSet<String> names = new TreeSet<>(Utf8Order.INSTANCE);
      select(matchers).forEach(s -> s.labels().forEach((name, value) -> names.add(name)));
      return List.copyOf(names);
    }

    @Override
    public List<String> labelValues(String name, List<Matcher> matchers) {
      TreeSet<String> values = new TreeSet<>(Utf8Order.INSTANCE);
      select(matchers).forEach(s -> values.add(s.labels().get(name)));
      values.remove("");
      return List.copyOf(values);
    }

    @Override
    public void close() {}
  }

  private record Selected(Samples samples, long minMs, long maxMs) implements Series {
    @Override
    public Labels labels() {
      return samples.labels;
    }

    @Override
    public void read(long fromMs, long toMs, SampleColumns into) {
      samples.read(Math.max(fromMs, minMs), Math.min(toMs, maxMs), into);
    }
  }
}
