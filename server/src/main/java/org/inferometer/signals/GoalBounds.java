package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/** Works out, time by time, between which bounds the share of requests lies that met all goals. */
final class GoalBounds {
  private final Resolution.Bounded asked;
  private final Map<String, Map<Labels, BucketColumns>> histograms = new LinkedHashMap<>();
  private final Map<Labels, double[]> success;
  private final @Nullable Map<Labels, double[]> rate;

  /**
   * @param columns what each of the queries came to
   */
  GoalBounds(
      Resolution.Bounded asked, Function<Resolution.Found, List<ColumnQueries.Column>> columns) {
    this.asked = asked;
    for (Resolution.Goal goal : asked.goals()) {
      if (goal.buckets() != null) {
        Map<Labels, BucketColumns> byLabels = new LinkedHashMap<>();
        BucketColumns.of(columns.apply(goal.buckets()))
            .forEach(histogram -> byLabels.put(histogram.labels(), histogram));
        histograms.put(goal.signal().name(), byLabels);
      }
    }
    success = asked.success() == null ? Map.of() : values(columns.apply(asked.success()));
    rate = asked.rate() == null ? null : values(columns.apply(asked.rate()));
  }

  private static Map<Labels, double[]> values(List<ColumnQueries.Column> columns) {
    Map<Labels, double[]> values = new LinkedHashMap<>();
    columns.forEach(column -> values.put(column.labels(), column.values()));
    return values;
  }

  /** One series for each label set that a goal's histogram has. */
  List<SignalSeries> series(int times) {
    Set<Labels> all = new TreeSet<>();
    histograms.values().forEach(byLabels -> all.addAll(byLabels.keySet()));
    return all.stream().map(labels -> series(labels, times)).toList();
  }

  private SignalSeries series(Labels labels, int times) {
    double[] none = new double[times];
    Arrays.fill(none, Double.NaN);
    double[] low = none.clone();
    double[] high = none.clone();
    double[] rates = rate == null ? null : rate.getOrDefault(labels, none);
    for (int i = 0; i < times; i++) {
      GoalShare share = GoalShare.all(conditions(labels, i));
      double factor = rates == null ? 1 : rates[i];
      low[i] = share.low() * factor;
      high[i] = share.high() * factor;
    }
    return new SignalSeries(labels, none, low, high, null);
  }

  private List<GoalShare> conditions(Labels labels, int time) {
    List<GoalShare> conditions = new ArrayList<>();
    for (Resolution.Goal goal : asked.goals()) {
      conditions.add(condition(goal, labels, time));
    }
    double[] shares = success.get(labels);
    if (asked.success() != null) {
      double share = shares == null ? Double.NaN : shares[time];
      conditions.add(Double.isNaN(share) ? GoalShare.UNKNOWN : GoalShare.exactly(share));
    }
    return conditions;
  }

  /** What no histogram tells may be anything. */
  private GoalShare condition(Resolution.Goal goal, Labels labels, int time) {
    Map<Labels, BucketColumns> byLabels = histograms.get(goal.signal().name());
    if (byLabels == null) {
      return GoalShare.UNKNOWN;
    }
    BucketColumns histogram = byLabels.get(labels);
    return histogram == null
        ? GoalShare.NONE
        : GoalShare.within(goal.limit(), histogram.edges(), histogram.at(time));
  }
}
