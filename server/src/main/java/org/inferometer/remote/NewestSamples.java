package org.inferometer.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;

/**
 * The newest sample of each series as another server takes them over: with the time it was taken
 * at. Series that ended are left out, and native histograms, for which text has no form.
 * Thread-safe.
 */
public final class NewestSamples {
  private final Queryable store;
  private final long lookbackMs;

  /** One series with its newest sample. */
  public record Newest(Labels labels, long timestampMs, double value) {}

  /**
   * @param lookbackMs how old a sample may be
   */
  public NewestSamples(Queryable store, long lookbackMs) {
    this.store = store;
    this.lookbackMs = lookbackMs;
  }

  /** The series that pass any of the selections, each once, sorted by metric name and labels. */
  public List<Newest> select(List<List<Matcher>> selections, long nowMs) {
    Map<String, Map<Labels, Newest>> byName = new TreeMap<>();
    SampleColumns columns = new SampleColumns();
    try (Querier querier = store.querier(nowMs - lookbackMs, nowMs)) {
      for (List<Matcher> matchers : selections) {
        for (Series series : querier.select(matchers)) {
          columns.clear();
          series.read(nowMs - lookbackMs, nowMs, columns);
          int last = columns.size() - 1;
          if (last >= 0
              && columns.histogram(last) == null
              && !StalenessMarker.is(columns.value(last))) {
            byName
                .computeIfAbsent(series.labels().metricName(), _ -> new TreeMap<>())
                .put(
                    series.labels(),
                    new Newest(series.labels(), columns.timestampMs(last), columns.value(last)));
          }
        }
      }
    }
    List<Newest> sorted = new ArrayList<>();
    byName.values().forEach(series -> sorted.addAll(series.values()));
    return sorted;
  }
}
