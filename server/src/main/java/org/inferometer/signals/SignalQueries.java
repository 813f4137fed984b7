package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/**
 * Turns signals into PromQL, asks each query once, and makes values, bounds and reasons of what
 * comes back. Thread-safe.
 */
final class SignalQueries {
  /** Series of one result; a signal split too far is cut here. */
  static final int SERIES_MAX = 500;

  /** Values over all results of a batch. */
  static final long VALUES_MAX = 5_000_000;

  private static final String NOTHING =
      "No value in this time: nothing happened to measure, or it wasn't scraped.";

  private final Resolver resolver;
  private final ColumnQueries queries;

  SignalQueries(Resolver resolver, ColumnQueries queries) {
    this.resolver = resolver;
    this.queries = queries;
  }

  /**
   * A signal asked of a service.
   *
   * @param windowMs the rate window, or null for the one that fits the service
   */
  record Question(
      Binding binding,
      Signal signal,
      List<String> by,
      @Nullable Long windowMs,
      @Nullable Double goal) {}

  /** What is asked for a question. */
  private sealed interface Plan {
    /** The PromQL that answers it. */
    record Asked(Resolution.Found found, String query, long windowMs) implements Plan {}

    record Nothing(String reason) implements Plan {}
  }

  /**
   * The results in the order of the questions.
   *
   * @throws QueryException if the source of the series can't answer at all
   */
  List<SignalResult> ask(List<Question> questions, SignalBatch times) throws QueryException {
    List<Plan> plans = questions.stream().map(question -> plan(question, times)).toList();
    Set<String> texts = new LinkedHashSet<>();
    for (Plan plan : plans) {
      if (plan instanceof Plan.Asked asked) {
        texts.add(asked.query());
      }
    }
    Map<String, ColumnQueries.Outcome> outcomes = queries.run(texts, times);
    List<SignalResult> results = new ArrayList<>();
    long values = 0;
    for (int i = 0; i < plans.size(); i++) {
      SignalResult result =
          switch (plans.get(i)) {
            case Plan.Nothing nothing -> absent(questions.get(i), nothing.reason());
            case Plan.Asked asked -> result(questions.get(i), asked, outcomes);
          };
      values += (long) result.series().size() * times.count();
      if (values > VALUES_MAX) {
        throw new QueryException(
            QueryException.Kind.BAD_DATA,
            "expected at most " + VALUES_MAX + " values, choose a larger step or fewer signals");
      }
      results.add(result);
    }
    return results;
  }

  private Plan plan(Question question, SignalBatch times) {
    return switch (resolver.resolve(question.binding(), question.signal())) {
      case Resolution.Absent absent -> new Plan.Nothing(absent.reason());
      case Resolution.Found found -> {
        long step = times.isMoment() ? 0 : times.stepMs();
        long window =
            question.windowMs() == null ? question.binding().windowMs(step) : question.windowMs();
        yield new Plan.Asked(found, found.promql().of(question.by(), window), window);
      }
    };
  }

  private static SignalResult result(
      Question question, Plan.Asked plan, Map<String, ColumnQueries.Outcome> outcomes) {
    ColumnQueries.Outcome outcome = outcomes.get(plan.query());
    return switch (outcome) {
      case null -> throw new IllegalStateException("not asked: " + plan.query());
      case ColumnQueries.Outcome.Failed failed ->
          absent(question, "the query failed: " + failed.message());
      case ColumnQueries.Outcome.Columns columns -> present(question, plan, columns.series());
    };
  }

  private static SignalResult absent(Question question, String reason) {
    Signal signal = question.signal();
    return SignalResult.absent(question.binding().id(), signal.name(), signal.unit(), reason);
  }

  private static SignalResult present(
      Question question, Plan.Asked plan, List<ColumnQueries.Column> columns) {
    Signal signal = question.signal();
    Set<BucketQuantile.Remark> remarks = new LinkedHashSet<>();
    Double quantile = signal.quantile();
    List<SignalSeries> series;
    String query = plan.query();
    if (plan.found().buckets() && quantile != null) {
      series = quantiles(quantile, columns, remarks);
      query = "histogram_quantile(" + quantile + ", " + query + ")";
    } else {
      series = values(columns);
    }
    List<String> reasons = new ArrayList<>();
    if (plan.found().reason() != null) {
      reasons.add(plan.found().reason());
    }
    if (series.size() > SERIES_MAX) {
      reasons.add("The first " + SERIES_MAX + " of " + series.size() + " series.");
      series = series.subList(0, SERIES_MAX);
    }
    reasons.addAll(remarks(remarks));
    if (remarks.equals(Set.of(BucketQuantile.Remark.TRUNCATED))) {
      return absent(question, String.join(" ", reasons));
    }
    if (remarks(remarks).isEmpty() && series.stream().allMatch(SignalQueries::isEmpty)) {
      reasons.add(plan.found().blank() == null ? NOTHING : plan.found().blank());
    }
    return new SignalResult(
        question.binding().id(),
        signal.name(),
        signal.unit(),
        quality(plan.found().quality(), remarks),
        reasons.isEmpty() ? null : String.join(" ", reasons),
        query,
        series,
        question.goal(),
        plan.found().counts(),
        plan.windowMs());
  }

  /** Levelled counts make an estimate of what else is exact. */
  private static Quality quality(Quality quality, Set<BucketQuantile.Remark> remarks) {
    return remarks.contains(BucketQuantile.Remark.LEVELLED)
            && quality.compareTo(Quality.ESTIMATED) < 0
        ? Quality.ESTIMATED
        : quality;
  }

  private static List<String> remarks(Set<BucketQuantile.Remark> remarks) {
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
            sentences.add("Some lies beyond the last bucket's edge; only a lower bound is known.");
        case LEVELLED ->
            sentences.add("Bucket counts fall, as when replicas differ in their buckets.");
      }
    }
    return sentences;
  }

  private static boolean isEmpty(SignalSeries series) {
    return Arrays.stream(series.values()).allMatch(Double::isNaN);
  }

  private static List<SignalSeries> values(List<ColumnQueries.Column> columns) {
    return columns.stream()
        .map(column -> new SignalSeries(column.labels(), finite(column.values()), null, null))
        .toList();
  }

  private static double[] finite(double[] values) {
    return Arrays.stream(values).map(v -> Double.isFinite(v) ? v : Double.NaN).toArray();
  }

  /** One series for each histogram, that is for each label set but for the bucket's edge. */
  private static List<SignalSeries> quantiles(
      double quantile, List<ColumnQueries.Column> columns, Set<BucketQuantile.Remark> remarks) {
    Map<Labels, Map<Double, List<double[]>>> histograms = new TreeMap<>();
    for (ColumnQueries.Column column : columns) {
      Double edge = edge(column.labels().get("le"));
      if (edge != null) {
        histograms
            .computeIfAbsent(column.labels().without("le"), labels -> new TreeMap<>())
            .computeIfAbsent(edge, e -> new ArrayList<>())
            .add(column.values());
      }
    }
    List<SignalSeries> series = new ArrayList<>();
    histograms.forEach(
        (labels, buckets) -> series.add(quantiles(labels, quantile, buckets, remarks)));
    return series;
  }

  private static @Nullable Double edge(String le) {
    try {
      return le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
    } catch (NumberFormatException e) {
      return null; // no bucket; PromQL leaves it out as well
    }
  }

  private static SignalSeries quantiles(
      Labels labels,
      double quantile,
      Map<Double, List<double[]>> buckets,
      Set<BucketQuantile.Remark> remarks) {
    List<Double> edges = new ArrayList<>();
    List<double[]> counts = new ArrayList<>();
    buckets.forEach(
        (edge, columns) -> {
          for (double[] column : columns) {
            edges.add(edge);
            counts.add(column);
          }
        });
    double[] upper = edges.stream().mapToDouble(Double::doubleValue).toArray();
    int n = counts.getFirst().length;
    double[] values = new double[n];
    double[] low = new double[n];
    double[] high = new double[n];
    for (int i = 0; i < n; i++) {
      int at = i;
      double[] moment = counts.stream().mapToDouble(column -> column[at]).toArray();
      BucketQuantile.Estimate estimate = BucketQuantile.of(quantile, upper, moment);
      values[i] = estimate.value();
      low[i] = estimate.low();
      high[i] = estimate.high();
      remarks.add(estimate.remark());
    }
    return new SignalSeries(labels, values, low, high);
  }
}
