package org.inferometer.lint;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is looked for in queries; the ids are stable. */
public enum LintRule {
  PARSE_ERROR("The query isn't PromQL."),
  UNKNOWN_METRIC("No release of the engine or exporter has a metric of this name."),
  REMOVED_METRIC("The metric was renamed or removed; current releases don't have it."),
  COUNTER_WITHOUT_TOTAL("The series of the counter is exposed with _total behind its name."),
  NO_SERIES("The endpoints or the server that were given have no series of this name now."),
  RAW_COUNTER("A counter is used as it is: its value says how long the process has run."),
  DELTA_OF_COUNTER("delta(), idelta() and deriv() of a counter jump down at each restart."),
  RATE_OF_GAUGE("rate(), irate(), increase() or resets() of a metric that isn't a counter."),
  QUANTILE_WITHOUT_LE("The aggregation below histogram_quantile() drops the label le."),
  QUANTILE_RANGE("The quantile isn't between 0 and 1."),
  HISTOGRAM_KIND("The metric has no buckets, or not under this name."),
  AVERAGE_OF_QUANTILES("Quantiles are averaged or added up, which gives no quantile."),
  MEAN_OF_MEANS("Means are averaged whatever number of requests is behind each."),
  QUANTILE_ARITHMETIC("Quantiles of different distributions are added or subtracted."),
  UNIT_SCALE("A threshold or a panel's unit doesn't fit the unit of the metric."),
  UNKNOWN_LABEL("The metric has no such label; the matcher or grouping does nothing."),
  COPIES_SUMMED("Series that repeat one value, such as one for each rank, are summed."),
  SUMMED_RATIO("Ratios are added up."),
  AVERAGED_USAGE("An average over engines hides the one that is full."),
  ROUTER_COPY("A router exposes the same name: with both scraped the sum counts twice."),
  SHORT_WINDOW("The window holds fewer than four scrapes."),
  INTERVAL_WINDOW("$__interval can be shorter than the scrape interval."),
  ALERT_WITHOUT_FOR("The alert fires at the first sample over its threshold."),
  DIVISION_BY_ZERO("The divisor can be zero or without series."),
  OR_VECTOR_ZERO("or vector(0) shows 0 where nothing is known."),
  TITLE_MISMATCH("The title promises another quantity than the query gives."),
  MIXED_POPULATIONS("The two sides of the quotient count different requests."),
  ABSENT_BLIND("A flag of the engine removes the metric, and the alert then fires for ever."),
  STICKY_VALUE("The value stays after the event is over."),
  BIT_MASK("The number isn't the bit that the text speaks of, or any bit is taken for bad."),
  LE_TEXT("le is compared as text, and the edge is written in another way.");

  private final String says;

  LintRule(String says) {
    this.says = says;
  }

  /** As written in reports and in {@code --ignore}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What is wrong, in a sentence. */
  public String says() {
    return says;
  }

  /** The rule with an id, null if there is none. */
  public static @Nullable LintRule find(String id) {
    for (LintRule rule : values()) {
      if (rule.id().equals(id)) {
        return rule;
      }
    }
    return null;
  }
}
