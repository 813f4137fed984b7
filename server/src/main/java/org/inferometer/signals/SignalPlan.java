package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is asked for a signal of a service, and what its result is made of. */
sealed interface SignalPlan {
  /** Series of one result; a signal split too far is cut here. */
  int SERIES_MAX = 500;

  /** The PromQL whose outcomes it needs. */
  List<String> queries();

  /**
   * The result.
   *
   * @param outcomes by query
   * @param times how many values a series has
   */
  SignalResult result(Map<String, ColumnQueries.Outcome> outcomes, int times);

  static SignalPlan of(
      SignalQueries.Question question, Resolution resolution, Template.Values values) {
    return switch (resolution) {
      case Resolution.Absent absent -> new Nothing(question, absent.reason());
      case Resolution.Bounded bounded -> new Bounds(question, bounded, values);
      case Resolution.Found found when question.buckets() && !found.buckets() ->
          new Nothing(question, "it has no buckets");
      case Resolution.Found found -> new Values(question, found, found.promql().of(values), values);
    };
  }

  /** A signal that can't be asked for. */
  record Nothing(SignalQueries.Question question, String reason) implements SignalPlan {
    @Override
    public List<String> queries() {
      return List.of();
    }

    @Override
    public SignalResult result(Map<String, ColumnQueries.Outcome> outcomes, int times) {
      return absent(question, reason);
    }
  }

  /** One query, whose values are the signal's or are the buckets of its histogram. */
  record Values(
      SignalQueries.Question question, Resolution.Found found, String query, Template.Values values)
      implements SignalPlan {
    private static final String NOTHING =
        "No value in this time: nothing happened to measure, or it wasn't scraped.";

    @Override
    public List<String> queries() {
      return List.of(query);
    }

    @Override
    public SignalResult result(Map<String, ColumnQueries.Outcome> outcomes, int times) {
      return switch (outcome(outcomes, query)) {
        case ColumnQueries.Outcome.Failed failed -> failed(question, failed);
        case ColumnQueries.Outcome.Columns columns -> present(columns.series());
      };
    }

    private SignalResult present(List<ColumnQueries.Column> columns) {
      Set<BucketQuantile.Remark> remarks = new LinkedHashSet<>();
      List<SignalSeries> all = series(columns, remarks);
      List<String> reasons = new ArrayList<>();
      if (found.reason() != null) {
        reasons.add(found.reason());
      }
      List<SignalSeries> series = cut(all, reasons);
      List<String> sentences = sentences(remarks);
      reasons.addAll(sentences);
      if (remarks.equals(Set.of(BucketQuantile.Remark.TRUNCATED))) {
        return absent(question, String.join(" ", reasons));
      }
      if (sentences.isEmpty() && series.stream().allMatch(SignalSeries::isEmpty)) {
        reasons.add(found.blank() == null ? NOTHING : found.blank());
      }
      boolean quantile = found.buckets() && !question.buckets();
      return SignalPlan.result(
          question,
          quality(found.quality(), remarks),
          reasons,
          quantile ? found.promql(question.signal(), values) : query,
          series,
          found.counts(),
          values.windowMs());
    }

    private List<SignalSeries> series(
        List<ColumnQueries.Column> columns, Set<BucketQuantile.Remark> remarks) {
      Double quantile = question.signal().quantile();
      if (question.buckets()) {
        return BucketColumns.of(columns).stream().flatMap(one -> one.each().stream()).toList();
      }
      return found.buckets() && quantile != null
          ? BucketColumns.of(columns).stream()
              .map(histogram -> histogram.quantile(quantile, values.windowMs(), remarks))
              .toList()
          : columns.stream()
              .map(column -> SignalSeries.of(column.labels(), finite(column.values())))
              .toList();
    }

    private static double[] finite(double[] values) {
      return Arrays.stream(values).map(v -> Double.isFinite(v) ? v : Double.NaN).toArray();
    }

    /** Levelled counts make an estimate of what else is exact. */
    private static Quality quality(Quality quality, Set<BucketQuantile.Remark> remarks) {
      return remarks.contains(BucketQuantile.Remark.LEVELLED)
          ? Resolver.worse(quality, Quality.ESTIMATED)
          : quality;
    }

    private static List<String> sentences(Set<BucketQuantile.Remark> remarks) {
      List<String> sentences = new ArrayList<>();
      for (BucketQuantile.Remark remark : remarks) {
        switch (remark) {
          case NONE, EMPTY -> {}
          case TRUNCATED ->
              sentences.add(
                  "The histogram has no bucket up to infinity, so no quantile can be told.");
          case IN_FIRST_BUCKET ->
              sentences.add("All lies below the first bucket's edge; only that bound is known.");
          case BEYOND_LAST_EDGE ->
              sentences.add(
                  "Some lies beyond the last bucket's edge; only a lower bound is known.");
          case LEVELLED ->
              sentences.add("Bucket counts fall, as when replicas differ in their buckets.");
        }
      }
      return sentences;
    }
  }

  /** The bounds of a share of requests that met goals, or of their rate. */
  record Bounds(SignalQueries.Question question, Resolution.Bounded bounded, Template.Values values)
      implements SignalPlan {
    private static final String NO_REQUESTS = "No requests in this time.";

    @Override
    public List<String> queries() {
      List<String> queries = new ArrayList<>();
      bounded.goals().forEach(goal -> addQuery(queries, goal.buckets()));
      addQuery(queries, bounded.success());
      addQuery(queries, bounded.rate());
      return queries;
    }

    private void addQuery(List<String> queries, Resolution.@Nullable Found found) {
      if (found != null) {
        queries.add(query(found));
      }
    }

    private String query(Resolution.Found found) {
      return found.promql().of(values);
    }

    @Override
    public SignalResult result(Map<String, ColumnQueries.Outcome> outcomes, int times) {
      for (String query : queries()) {
        if (outcome(outcomes, query) instanceof ColumnQueries.Outcome.Failed failed) {
          return failed(question, failed);
        }
      }
      List<String> reasons = new ArrayList<>(List.of(bounded.reason()));
      GoalBounds bounds = new GoalBounds(bounded, found -> columns(outcomes, query(found)));
      List<SignalSeries> series = cut(bounds.series(times), reasons);
      if (series.stream().allMatch(SignalSeries::isEmpty)) {
        reasons.add(NO_REQUESTS);
      }
      return SignalPlan.result(
          question, bounded.quality(), reasons, shownQuery(), series, null, values.windowMs());
    }

    /** The buckets of all goals at once, told apart by a label, which anyone can run. */
    private String shownQuery() {
      List<String> parts = new ArrayList<>();
      for (Resolution.Goal goal : bounded.goals()) {
        if (goal.buckets() != null) {
          parts.add(
              "label_replace("
                  + query(goal.buckets())
                  + ", \"goal\", \""
                  + goal.signal().base()
                  + "\", \"\", \"\")");
        }
      }
      return String.join(" or ", parts);
    }
  }

  private static ColumnQueries.Outcome outcome(
      Map<String, ColumnQueries.Outcome> outcomes, String query) {
    ColumnQueries.Outcome outcome = outcomes.get(query);
    if (outcome == null) {
      throw new IllegalStateException("not asked: " + query);
    }
    return outcome;
  }

  private static List<ColumnQueries.Column> columns(
      Map<String, ColumnQueries.Outcome> outcomes, String query) {
    return outcome(outcomes, query) instanceof ColumnQueries.Outcome.Columns columns
        ? columns.series()
        : List.of();
  }

  private static List<SignalSeries> cut(List<SignalSeries> series, List<String> reasons) {
    if (series.size() <= SERIES_MAX) {
      return series;
    }
    reasons.add("The first " + SERIES_MAX + " of " + series.size() + " series.");
    return series.subList(0, SERIES_MAX);
  }

  private static SignalResult failed(
      SignalQueries.Question question, ColumnQueries.Outcome.Failed failed) {
    return absent(question, "the query failed: " + failed.message());
  }

  private static SignalResult absent(SignalQueries.Question question, String reason) {
    Signal signal = question.signal();
    return SignalResult.absent(question.binding().id(), signal.name(), signal.unit(), reason);
  }

  private static SignalResult result(
      SignalQueries.Question question,
      Quality quality,
      List<String> reasons,
      String query,
      List<SignalSeries> series,
      @Nullable Population counts,
      long windowMs) {
    Signal signal = question.signal();
    return new SignalResult(
        question.binding().id(),
        signal.name(),
        question.buckets() ? "count/s" : signal.unit(),
        quality,
        reasons.isEmpty() ? null : String.join(" ", reasons),
        query,
        series,
        question.goal(),
        counts,
        windowMs);
  }
}
