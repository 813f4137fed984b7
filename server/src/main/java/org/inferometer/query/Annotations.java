package org.inferometer.query;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Names;
import org.inferometer.promql.Span;

/**
 * What there is to say about a query that doesn't stop it, in Prometheus's words and with the
 * position of the subexpression. The same thing is said once. Thread-safe.
 */
final class Annotations {
  /** How many of each level a result shows; the rest is counted. */
  private static final int SHOWN_MAX = 10;

  private static final String MONOTONICITY =
      "input to histogram_quantile needed to be fixed for monotonicity (see"
          + " https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile)";

  private final String query;
  private final SortedSet<Entry> warnings = new TreeSet<>();
  private final SortedSet<Entry> infos = new TreeSet<>();
  private final Map<Entry, Monotonicity> monotonicity = new LinkedHashMap<>();

  Annotations(String query) {
    this.query = query;
  }

  /** Ordered by position, so that a result doesn't depend on which worker came first. */
  private record Entry(int start, String text) implements Comparable<Entry> {
    Entry at(IntUnaryOperator places) {
      return new Entry(places.applyAsInt(start), text);
    }

    @Override
    public int compareTo(Entry other) {
      return start != other.start
          ? Integer.compare(start, other.start)
          : text.compareTo(other.text);
    }
  }

  void invalidQuantile(double quantile, Span span) {
    warn("quantile value should be between 0 and 1, got " + FloatFormat.general(quantile), span);
  }

  void invalidRatio(double ratio, double cappedTo, Span span) {
    warn(
        "ratio value should be between -1 and 1, got "
            + FloatFormat.general(ratio)
            + ", capping to "
            + FloatFormat.general(cappedTo),
        span);
  }

  void badBucketLabel(String metricName, String value, Span span) {
    warn(
        "bucket label \"le\" is missing or has a malformed value of "
            + Names.quote(value)
            + forMetric(metricName),
        span);
  }

  void sortIneffective(Span span) {
    warn("sort is ineffective for range queries since results are always ordered by labels", span);
  }

  void mixedFloatsAndHistogramsInAggregation(Span span) {
    warn("encountered a mix of histograms and floats for aggregation", span);
  }

  void mixedClassicAndNative(String metricName, Span span) {
    warn("vector contains a mix of classic and native histograms" + forMetric(metricName), span);
  }

  /**
   * @param isResult whether the quantile itself is NaN, rather than moved up by those observations
   */
  void quantileOfNaNs(boolean isResult, String metricName, Span span) {
    info(
        "input to histogram_quantile has NaN observations, result is "
            + (isResult ? "NaN" : "skewed higher")
            + forMetric(metricName),
        span);
  }

  void fractionOfNaNs(String metricName, Span span) {
    info(
        "input to histogram_fraction has NaN observations, which are excluded from all fractions"
            + forMetric(metricName),
        span);
  }

  void mixedFloatsAndHistograms(String metricName, Span span) {
    warn(
        "encountered a mix of histograms and floats for metric name " + Names.quote(metricName),
        span);
  }

  void mixedSchemas(String metricName, Span span) {
    warn(
        "vector contains a mix of histograms with exponential and custom buckets schemas"
            + forMetric(metricName),
        span);
  }

  /**
   * @param operation addition, subtraction or aggregation
   */
  void contradictingResets(String operation, Span span) {
    warn("conflicting counter resets during histogram " + operation, span);
  }

  void reconciledBounds(String operation, Span span) {
    info("mismatched custom buckets were reconciled during " + operation, span);
  }

  void ignoredHistogramInAggregation(String operator, Span span) {
    info("ignored histogram in " + operator + " aggregation", span);
  }

  void incompatibleTypes(String left, String operator, String right, Span span) {
    info(
        "incompatible sample types encountered for binary operator "
            + Names.quote(operator)
            + ": "
            + left
            + " "
            + operator
            + " "
            + right,
        span);
  }

  void incompatibleBuckets(String operator, Span span) {
    warn("incompatible bucket layout encountered for binary operator " + operator, span);
  }

  void possibleNonCounter(String metricName, Span span) {
    info(
        "metric might not be a counter, name does not end in _total/_sum/_count/_bucket: "
            + Names.quote(metricName),
        span);
  }

  void ignoredHistogramInMixedRange(String metricName, Span span) {
    info(
        "ignored histograms in a range containing both floats and histograms"
            + forMetric(metricName),
        span);
  }

  void nativeHistogramNotCounter(String metricName, Span span) {
    warn("this native histogram metric is not a counter: " + Names.quote(metricName), span);
  }

  void nativeHistogramNotGauge(String metricName, Span span) {
    warn("this native histogram metric is not a gauge: " + Names.quote(metricName), span);
  }

  void overlappingStart(String metricName, Span span) {
    warn(
        "sample has start time that overlaps with previous sample timestamp"
            + (metricName.isEmpty() ? "" : " for metric " + Names.quote(metricName)),
        span);
  }

  /** One forced step up between buckets; all of one metric become one line. */
  synchronized void forcedMonotonicity(
      String metricName, Span span, long timeMs, BucketCounts.Forced forced) {
    monotonicity
        .computeIfAbsent(
            new Entry(span.start(), MONOTONICITY + forMetric(metricName)), _ -> new Monotonicity())
        .add(timeMs, forced);
  }

  private static String forMetric(String metricName) {
    return metricName.isEmpty() ? "" : " for metric name " + Names.quote(metricName);
  }

  private synchronized void warn(String text, Span span) {
    warnings.add(new Entry(span.start(), "PromQL warning: " + text));
  }

  private synchronized void info(String text, Span span) {
    infos.add(new Entry(span.start(), "PromQL info: " + text));
  }

  /**
   * Takes in what was said of an equal subexpression, here or in another query.
   *
   * @param places where what starts at a byte there starts here
   */
  synchronized void addAll(Annotations others, IntUnaryOperator places) {
    others.warnings.forEach(entry -> warnings.add(entry.at(places)));
    others.infos.forEach(entry -> infos.add(entry.at(places)));
    others.monotonicity.forEach(
        (entry, found) ->
            monotonicity.computeIfAbsent(entry.at(places), _ -> new Monotonicity()).add(found));
  }

  private String position(Entry entry) {
    return " (" + new Span(entry.start(), entry.start()).lineAndColumn(query) + ")";
  }

  synchronized List<String> warnings() {
    return shown(warnings, "warning");
  }

  synchronized List<String> infos() {
    SortedSet<Entry> all = new TreeSet<>(infos);
    monotonicity.forEach(
        (entry, found) ->
            all.add(new Entry(entry.start(), "PromQL info: " + entry.text() + found.words())));
    return shown(all, "info");
  }

  private List<String> shown(SortedSet<Entry> entries, String level) {
    List<String> texts = new ArrayList<>();
    entries.stream().limit(SHOWN_MAX).forEach(entry -> texts.add(entry.text() + position(entry)));
    int omitted = entries.size() - texts.size();
    if (omitted > 0) {
      texts.add(omitted + " more " + level + " annotations omitted");
    }
    return texts;
  }

  /** The extent of what was fixed in the buckets of one metric. */
  private static final class Monotonicity {
    private double lowest = Double.POSITIVE_INFINITY;
    private double highest = Double.NEGATIVE_INFINITY;
    private double differenceMax;
    private long samples;
    private long firstMs = Long.MAX_VALUE;
    private long lastMs = Long.MIN_VALUE;

    void add(long timeMs, BucketCounts.Forced forced) {
      lowest = Math.min(lowest, forced.lowestBound());
      highest = Math.max(highest, forced.highestBound());
      differenceMax = Math.max(differenceMax, forced.differenceMax());
      samples++;
      firstMs = Math.min(firstMs, timeMs);
      lastMs = Math.max(lastMs, timeMs);
    }

    void add(Monotonicity other) {
      lowest = Math.min(lowest, other.lowest);
      highest = Math.max(highest, other.highest);
      differenceMax = Math.max(differenceMax, other.differenceMax);
      samples += other.samples;
      firstMs = Math.min(firstMs, other.firstMs);
      lastMs = Math.max(lastMs, other.lastMs);
    }

    String words() {
      return String.format(
          Locale.ROOT,
          ", from buckets %s to %s, with a max diff of %s, over %d samples from %s to %s",
          FloatFormat.general(lowest),
          FloatFormat.general(highest),
          FloatFormat.general(twoDigits(differenceMax)),
          samples,
          rfc3339(firstMs),
          rfc3339(lastMs));
    }

    private static double twoDigits(double value) {
      return Double.isFinite(value)
          ? new java.math.BigDecimal(value).round(new java.math.MathContext(2)).doubleValue()
          : value;
    }

    private static String rfc3339(long timeMs) {
      return java.time.Instant.ofEpochSecond(Math.floorDiv(timeMs, 1000)).toString();
    }
  }
}
