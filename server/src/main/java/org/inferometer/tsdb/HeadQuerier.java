package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.model.Matcher;
import org.inferometer.model.Utf8Order;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.index.IdSet;
import org.inferometer.tsdb.index.SeriesFinder;

/** Reads a head as it was when the querier was made: later commits aren't seen. Thread-safe. */
final class HeadQuerier implements Querier {
  private static final int WARNINGS_MAX = 20;

  private final SeriesIndex index;
  private final Isolation isolation;
  private final Isolation.View view;
  private final long minMs;
  private final long maxMs;

  /** Guarded by its monitor. */
  private final Set<String> warnings = new LinkedHashSet<>(0);

  private final AtomicBoolean isClosed = new AtomicBoolean();

  HeadQuerier(SeriesIndex index, Isolation isolation, long minMs, long maxMs) {
    this.index = index;
    this.isolation = isolation;
    this.view = isolation.open();
    this.minMs = minMs;
    this.maxMs = maxMs;
  }

  @Override
  public List<Series> select(List<Matcher> matchers) {
    List<Series> selected = new ArrayList<>(slices(matchers));
    selected.sort(Comparator.comparing(Series::labels));
    return selected;
  }

  private List<HeadSlice> slices(List<Matcher> matchers) {
    IdSet ids = new SeriesFinder(index).find(matchers);
    List<HeadSlice> slices = new ArrayList<>(ids.size());
    SampleColumns scratch = new SampleColumns(Chunk.SAMPLES_MAX);
    for (int i = 0; i < ids.size(); i++) {
      HeadSeries series = index.byId(ids.get(i));
      HeadSlice slice =
          series == null ? null : series.slice(minMs, maxMs, view, scratch, this::warn);
      if (slice != null) {
        slices.add(slice);
      }
    }
    return slices;
  }

  @Override
  public List<String> labelNames(List<Matcher> matchers) {
    TreeSet<String> names = new TreeSet<>(Utf8Order.INSTANCE);
    if (matchers.isEmpty()) {
      SampleColumns scratch = new SampleColumns(Chunk.SAMPLES_MAX);
      for (LabelIndex label : index.labels()) {
        if (label.all().stream().anyMatch(postings -> isSeen(postings, scratch))) {
          names.add(label.name());
        }
      }
    } else {
      slices(matchers).forEach(s -> s.labels().forEach((name, value) -> names.add(name)));
    }
    return List.copyOf(names);
  }

  @Override
  public List<String> labelValues(String name, List<Matcher> matchers) {
    TreeSet<String> values = new TreeSet<>(Utf8Order.INSTANCE);
    LabelIndex label = index.label(name);
    if (label != null && matchers.isEmpty()) {
      SampleColumns scratch = new SampleColumns(Chunk.SAMPLES_MAX);
      for (Postings postings : label.all()) {
        if (isSeen(postings, scratch)) {
          values.add(postings.value());
        }
      }
    } else if (label != null) {
      slices(matchers).forEach(slice -> values.add(slice.labels().get(name)));
      values.remove("");
    }
    return List.copyOf(values);
  }

  /** Whether one of the series has a sample in the stretch. */
  private boolean isSeen(Postings postings, SampleColumns scratch) {
    IdSet ids = postings.ids();
    for (int i = ids.size() - 1; i >= 0; i--) { // the newest first: they live more likely
      HeadSeries series = index.byId(ids.get(i));
      if (series != null && series.slice(minMs, maxMs, view, scratch, this::warn) != null) {
        return true;
      }
    }
    return false;
  }

  private void warn(String sentence) {
    synchronized (warnings) {
      if (warnings.size() < WARNINGS_MAX) {
        warnings.add(sentence);
      }
    }
  }

  @Override
  public List<String> warnings() {
    synchronized (warnings) {
      return List.copyOf(warnings);
    }
  }

  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      isolation.close(view);
    }
  }
}
