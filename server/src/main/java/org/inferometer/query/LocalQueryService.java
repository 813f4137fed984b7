package org.inferometer.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.Utf8Order;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.ValueType;
import org.inferometer.query.Evaluation.QueryTimes;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.Series;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The embedded evaluator: answers queries from a local store. Thread-safe.
 *
 * <p>A query is evaluated on the calling thread, with help of the computing pool where there is
 * much to do. Interrupting the caller cancels it.
 */
public final class LocalQueryService implements QueryService {
  /** Leaves room for windows and offsets to be added without overflow. */
  private static final long TIME_MS_MAX = 1_000_000_000_000_000_000L;

  private final Queryable store;
  private final MetadataSource metadata;
  private final EngineOptions options;
  private final Ticker ticker;
  private final WorkPool pool;
  private final Semaphore places;
  private final Executor evaluators;
  private final SampleBudget.Together together = SampleBudget.Together.ofHeap();

  /**
   * @param evaluators runs each query on a thread of its own: a query computes without a pause, so
   *     on a virtual thread it would hold the carrier that others wait for. Called at most {@code
   *     query.max-concurrency} times at once
   * @param pool runs parts of queries; never blocks on anything
   * @param workers how many threads one query may use, the caller's included; usually the number of
   *     processors
   */
  public LocalQueryService(
      Queryable store,
      MetadataSource metadata,
      EngineOptions options,
      Ticker ticker,
      Executor evaluators,
      Executor pool,
      int workers) {
    this.evaluators = evaluators;
    this.store = store;
    this.metadata = metadata;
    this.options = options;
    this.ticker = ticker;
    this.pool = new WorkPool(pool, workers);
    this.places = new Semaphore(options.maxConcurrency(), true);
  }

  /** An evaluator that uses the calling thread only. */
  public LocalQueryService(
      Queryable store, MetadataSource metadata, EngineOptions options, Ticker ticker) {
    this(store, metadata, options, ticker, Runnable::run, Runnable::run, 1);
  }

  @Override
  public QueryResult instant(InstantQuery query) throws QueryException {
    requireTime(query.timeMs());
    QueryTimes times =
        new QueryTimes(query.timeMs(), query.timeMs(), 0, lookbackMs(query.lookback()));
    Steps steps = Steps.at(query.timeMs());
    return run(
        query.query(),
        times,
        query.timeout(),
        (evaluator, expr) -> new Results(evaluator, steps).instant(expr));
  }

  @Override
  public QueryResult range(RangeQuery query) throws QueryException {
    if (query.stepMs() <= 0) {
      throw badData("zero or negative query resolution step widths are not accepted");
    }
    requireTime(query.startMs());
    requireTime(query.endMs());
    if (query.endMs() < query.startMs()) {
      throw badData("end timestamp must not be before start time");
    }
    if ((query.endMs() - query.startMs()) / query.stepMs() >= options.maxSamples()) {
      throw badData(
          "the range has more steps than the limit query.max-samples = %d; use a longer step"
              .formatted(options.maxSamples()));
    }
    QueryTimes times =
        new QueryTimes(
            query.startMs(), query.endMs(), query.stepMs(), lookbackMs(query.lookback()));
    Steps steps = Steps.range(query.startMs(), query.endMs(), query.stepMs());
    return run(
        query.query(),
        times,
        query.timeout(),
        (evaluator, expr) -> new Results(evaluator, steps).range(expr));
  }

  private static void requireTime(long timeMs) throws QueryException {
    if (Math.abs(timeMs) > TIME_MS_MAX || timeMs == Long.MIN_VALUE) {
      throw badData("expected a time within 30 million years of 1970, got " + timeMs + " ms");
    }
  }

  private long lookbackMs(@Nullable Duration lookback) throws QueryException {
    long ms = (lookback == null ? options.lookback() : lookback).toMillis();
    if (ms <= 0) {
      throw badData("the lookback must be positive, got " + ms + "ms");
    }
    return ms;
  }

  private QueryResult run(
      String query,
      QueryTimes times,
      @Nullable Duration timeout,
      BiFunction<Evaluator, Expr, QueryValue> answer)
      throws QueryException {
    Expr expr = parse(query);
    if (ExprTree.isDeeperThan(expr, options.maxNesting())) {
      throw badData(
          "the expression is nested deeper than the limit query.max-nesting = %d; simplify it or raise the limit"
              .formatted(options.maxNesting()));
    }
    if (times.stepMs() > 0) {
      requireRangeType(ExprTree.type(expr));
    }
    long deadline = ticker.nanos() + timeoutNanos(timeout);
    enter(deadline);
    Evaluating evaluating =
        new Evaluating(() -> evaluate(query, expr, times, deadline, answer), places::release);
    evaluators.execute(evaluating);
    try {
      return evaluating.await();
    } catch (Abort e) {
      throw e.toQueryException();
    } catch (InterruptedException e) {
      evaluating.cancel();
      Thread.currentThread().interrupt();
      throw new QueryException(
          QueryException.Kind.CANCELED, "query was canceled in query execution", e);
    }
  }

  private QueryResult evaluate(
      String query,
      Expr expr,
      QueryTimes times,
      long deadline,
      BiFunction<Evaluator, Expr, QueryValue> answer) {
    TimeBounds bounds = new TimeBounds(times, expr);
    SampleBudget budget = new SampleBudget(options.maxSamples(), together);
    try (Querier querier = store.querier(bounds.minMs(), bounds.maxMs())) {
      Evaluation evaluation =
          new Evaluation(query, times, options, querier, pool, ticker, deadline, budget);
      QueryValue value = answer.apply(new Evaluator(evaluation), expr);
      return new QueryResult(
          value, evaluation.annotations().warnings(), evaluation.annotations().infos());
    } finally {
      budget.close();
    }
  }

  private static Expr parse(String query) throws QueryException {
    try {
      return Parser.parse(query);
    } catch (ParseException e) {
      throw new QueryException(QueryException.Kind.BAD_DATA, String.valueOf(e.getMessage()), e);
    }
  }

  private static void requireRangeType(ValueType type) throws QueryException {
    if (type != ValueType.SCALAR && type != ValueType.INSTANT_VECTOR) {
      throw badData(
          "invalid expression type \""
              + type.documented()
              + "\" for range query, must be Scalar or instant Vector");
    }
  }

  private long timeoutNanos(@Nullable Duration timeout) {
    Duration longest = options.timeout();
    return (timeout == null || timeout.compareTo(longest) > 0 ? longest : timeout).toNanos();
  }

  /** Waits for a place among the queries that may be evaluated at a time. */
  private void enter(long deadline) throws QueryException {
    try {
      if (!places.tryAcquire(deadline - ticker.nanos(), TimeUnit.NANOSECONDS)) {
        throw Evaluation.timeout("query queue").toQueryException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new QueryException(
          QueryException.Kind.CANCELED, "query was canceled in query queue", e);
    }
  }

  private static QueryException badData(String message) {
    return new QueryException(QueryException.Kind.BAD_DATA, message);
  }

  @Override
  public List<Labels> series(List<List<Matcher>> selections, TimeRange range, int limit) {
    TreeSet<Labels> found = new TreeSet<>();
    try (Querier querier = store.querier(range.minMs(), range.maxMs())) {
      for (List<Matcher> matchers : selections) {
        for (Series series : querier.select(matchers)) {
          found.add(series.labels());
        }
      }
    }
    return limited(found, limit);
  }

  @Override
  public List<String> labelNames(List<List<Matcher>> selections, TimeRange range, int limit) {
    return union(selections, range, limit, Querier::labelNames);
  }

  @Override
  public List<String> labelValues(
      String name, List<List<Matcher>> selections, TimeRange range, int limit) {
    return union(
        selections, range, limit, (querier, matchers) -> querier.labelValues(name, matchers));
  }

  private List<String> union(
      List<List<Matcher>> selections,
      TimeRange range,
      int limit,
      BiFunction<Querier, List<Matcher>, List<String>> question) {
    TreeSet<String> found = new TreeSet<>(Utf8Order.INSTANCE);
    try (Querier querier = store.querier(range.minMs(), range.maxMs())) {
      List<List<Matcher>> asked = selections.isEmpty() ? List.of(List.of()) : selections;
      asked.forEach(matchers -> found.addAll(question.apply(querier, matchers)));
    }
    return limited(found, limit);
  }

  private static <T> List<T> limited(SortedSet<T> found, int limit) {
    return limit > 0 ? found.stream().limit(limit).toList() : new ArrayList<>(found);
  }

  @Override
  public Map<String, List<MetricMetadata>> metadata() {
    return metadata.metadata();
  }
}
