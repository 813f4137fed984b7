package org.inferometer.query.script;

import java.util.HashMap;
import java.util.Map;
import org.inferometer.histogram.ClassicBuckets;
import org.inferometer.model.Labels;
import org.inferometer.store.MemorySeries;

/** The native histograms with custom bounds that {@code load_with_nhcb} makes of classic ones. */
final class CustomBuckets {
  private final Map<Labels, Map<Long, ClassicBuckets>> bySeries = new HashMap<>();

  void add(SeriesLine line, long stepMs) {
    String name = line.labels().metricName();
    if (name.endsWith("_bucket")) {
      double bound = bound(line.labels().get("le"));
      if (!Double.isNaN(bound)) {
        each(line, "_bucket", stepMs, (buckets, value) -> buckets.bucket(bound, value));
      }
    } else if (name.endsWith("_count")) {
      each(line, "_count", stepMs, ClassicBuckets::count);
    } else if (name.endsWith("_sum")) {
      each(line, "_sum", stepMs, ClassicBuckets::sum);
    }
  }

  @FunctionalInterface
  private interface Taking {
    void take(ClassicBuckets buckets, double value);
  }

  private void each(SeriesLine line, String suffix, long stepMs, Taking taking) {
    String name = line.labels().metricName();
    Labels labels =
        line.labels()
            .without("le")
            .with(Labels.NAME, name.substring(0, name.length() - suffix.length()));
    Map<Long, ClassicBuckets> byTime = bySeries.computeIfAbsent(labels, l -> new HashMap<>());
    for (int i = 0; i < line.slots().size(); i++) {
      if (line.slots().get(i) instanceof Slot.Value slot) {
        taking.take(byTime.computeIfAbsent(i * stepMs, t -> new ClassicBuckets()), slot.value());
      }
    }
  }

  private static double bound(String le) {
    try {
      return le.isEmpty() ? Double.NaN : SeriesLine.number(le);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /**
   * @throws ScriptException if buckets don't ascend or don't add up to the count
   */
  void loadInto(MemorySeries data) throws ScriptException {
    for (Map.Entry<Labels, Map<Long, ClassicBuckets>> series : bySeries.entrySet()) {
      for (Map.Entry<Long, ClassicBuckets> moment : series.getValue().entrySet()) {
        try {
          data.add(series.getKey(), moment.getKey(), moment.getValue().toHistogram());
        } catch (IllegalArgumentException e) {
          throw new ScriptException(series.getKey() + ": " + e.getMessage(), e);
        }
      }
    }
  }
}
