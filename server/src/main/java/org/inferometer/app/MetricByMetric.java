package org.inferometer.app;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.Utf8Order;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;

/** Writes series of a store as text. */
final class MetricByMetric {
  private MetricByMetric() {}

  /**
   * Writes the series of a metric together: the labels before the name, such as {@code A}, would
   * put them apart.
   *
   * @param selections series that pass any of these
   */
  static void write(Querier querier, List<List<Matcher>> selections, SampleText text)
      throws IOException {
    TreeSet<String> metrics = new TreeSet<>(Utf8Order.INSTANCE);
    selections.forEach(matchers -> metrics.addAll(querier.labelValues(Labels.NAME, matchers)));
    for (String metric : metrics) {
      Matcher name = Matcher.equal(Labels.NAME, metric);
      List<List<Matcher>> ofMetric = new ArrayList<>();
      for (List<Matcher> matchers : selections) {
        List<Matcher> all = new ArrayList<>(matchers);
        all.add(name);
        ofMetric.add(all);
      }
      writeAll(querier, ofMetric, text);
    }
  }

  /** Writes series in the order of their labels. */
  static void writeAll(Querier querier, List<List<Matcher>> selections, SampleText text)
      throws IOException {
    SampleColumns columns = new SampleColumns();
    for (Series series : select(querier, selections)) {
      columns.clear();
      series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      text.series(series.labels());
      text.samples(columns);
    }
  }

  private static Collection<Series> select(Querier querier, List<List<Matcher>> selections) {
    if (selections.size() == 1) {
      return querier.select(selections.getFirst());
    }
    TreeMap<Labels, Series> all = new TreeMap<>();
    for (List<Matcher> matchers : selections) {
      querier.select(matchers).forEach(series -> all.put(series.labels(), series));
    }
    return all.values();
  }
}
