package org.inferometer.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.Utf8Order;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.ValueType;
import org.inferometer.query.Evaluation.Means;
import org.inferometer.query.Evaluation.QueryTimes;
import org.inferometer.query.Explanation.Explained;
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
  private final Queryable store;
  private final MetadataSource metadata;
  private volatile EngineOptions options;
  private final Ticker ticker;
  private final WorkPool pool;
  private final Semaphore places;
  private final ParsedQueries parsed;
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
    this.parsed = new ParsedQueries(options.language());
    this.places = new Semaphore(options.maxConcurrency(), true);
  }

  /** An evaluator that uses the calling thread only. */
  public LocalQueryService(
      Queryable store, MetadataSource metadata, EngineOptions options, Ticker ticker) {
    this(store, metadata, options, ticker, Runnable::run, Runnable::run, 1);
  }

  /** The step of subqueries that name none, from now on. */
  public void setSubqueryStep(Duration step) {
    options = options.toBuilder().subqueryStep(step).build();
  }

  @Override
  public QueryResult instant(InstantQuery query) throws QueryException {
    return answer(query.query(), Asked.of(query, options), query.timeout());
  }

  @Override
  public QueryResult range(RangeQuery query) throws QueryException {
    return answer(query.query(), Asked.of(query, options), query.timeout());
  }

  private QueryResult answer(String query, Asked asked, @Nullable Duration timeout)
      throws QueryException {
    Expr expr = checked(query, asked);
    return run(
        asked.times(),
        List.of(expr),
        timeout,
        scope -> scope.evaluate(query, expr, asked, Trace.OFF));
  }

  @Override
  public Explained explain(InstantQuery query) throws QueryException {
    return explained(query.query(), Asked.of(query, options), query.timeout());
  }

  @Override
  public Explained explain(RangeQuery query) throws QueryException {
    return explained(query.query(), Asked.of(query, options), query.timeout());
  }

  private Explained explained(String query, Asked asked, @Nullable Duration timeout)
      throws QueryException {
    Expr expr = checked(query, asked);
    Tracing tracing = new Tracing(query, ticker);
    QueryResult result =
        run(
            asked.times(),
            List.of(expr),
            timeout,
            scope -> scope.evaluate(query, expr, asked, tracing));
    return new Explained(result, tracing.explain(expr));
  }

  @Override
  public List<BatchOutcome> batch(BatchQuery query) throws QueryException {
    Asked asked =
        query.isRange() ? Asked.of(query.range(""), options) : Asked.of(query.instant(""), options);
    Batch batch = new Batch();
    for (String text : query.queries()) {
      try {
        Expr expr = checked(text, asked);
        requireTimes(expr, asked.times());
        batch.add(text, expr);
      } catch (QueryException e) {
        batch.addFailed(e);
      }
    }
    return run(
        asked.times(),
        batch.exprs(),
        null,
        scope ->
            batch.evaluate(
                scope.kept,
                entry -> scope.evaluate(entry.query(), entry.expr(), asked, Trace.OFF)));
  }

  /** Evaluates the queries of one request over one view of the store. */
  private final class Scope {
    private final Means means;
    private final SampleBudget kept;
    private final Sharing sharing;

    Scope(Means means, List<Expr> exprs, SampleBudget kept) {
      this.means = means;
      this.kept = kept;
      this.sharing = new Sharing(exprs, kept);
    }

    QueryResult evaluate(String query, Expr expr, Asked asked, Trace trace) {
      SampleBudget budget = new SampleBudget(options.maxSamples(), together);
      try {
        Evaluation evaluation = new Evaluation(query, asked.times(), means, budget, sharing, trace);
        QueryValue value = asked.value(new Evaluator(evaluation), expr);
        return new QueryResult(value, warnings(evaluation), evaluation.annotations().infos());
      } finally {
        budget.close();
      }
    }
  }

  /** Those about the query, then what of the store couldn't be read, each once. */
  private static List<String> warnings(Evaluation evaluation) {
    List<String> ofQuery = evaluation.annotations().warnings();
    List<String> ofStore = evaluation.querier().warnings();
    return ofStore.isEmpty()
        ? ofQuery
        : Stream.concat(ofQuery.stream(), ofStore.stream()).distinct().toList();
  }

  /** Runs work over the stretch of time that the expressions look at, when there is a place. */
  private <T> T run(
      QueryTimes times, List<Expr> exprs, @Nullable Duration timeout, Function<Scope, T> work)
      throws QueryException {
    long deadline = ticker.nanos() + timeoutNanos(timeout);
    enter(deadline);
    Evaluating<T> evaluating =
        new Evaluating<>(() -> inScope(times, exprs, deadline, work), places::release);
    hand(evaluating);
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

  private void hand(Evaluating<?> evaluating) throws QueryException {
    try {
      evaluators.execute(evaluating);
    } catch (RejectedExecutionException e) {
      places.release();
      throw new QueryException(
          QueryException.Kind.CANCELED, "query was canceled: the server is stopping", e);
    }
  }

  private <T> T inScope(
      QueryTimes times, List<Expr> exprs, long deadline, Function<Scope, T> work) {
    TimeBounds bounds = new TimeBounds(times, exprs);
    SampleBudget kept = new SampleBudget(options.maxSamples(), together);
    try (Querier querier = store.querier(bounds.minMs(), bounds.maxMs())) {
      Means means = new Means(options, querier, pool, ticker, deadline);
      return work.apply(new Scope(means, exprs, kept));
    } finally {
      kept.close();
    }
  }

  private Expr checked(String query, Asked asked) throws QueryException {
    Expr expr = parse(query);
    if (ExprTree.isDeeperThan(expr, options.maxNesting())) {
      throw badData(
          "the expression is nested deeper than query.max-nesting = %d, which is fixed; simplify it"
              .formatted(options.maxNesting()));
    }
    if (asked.times().stepMs() > 0) {
      requireRangeType(expr.type());
    }
    return expr;
  }

  /** Durations may be computed, and then come to nothing that can be used. */
  private static void requireTimes(Expr expr, QueryTimes times) throws QueryException {
    try {
      TimeBounds.check(times, expr);
    } catch (Abort e) {
      throw e.toQueryException();
    }
  }

  private Expr parse(String query) throws QueryException {
    try {
      return parsed.parse(query);
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
        throw Abort.timeout(
                "query queue",
                "all query.max-concurrency = %d places were taken; ask less often, or raise it with serve --query.max-concurrency"
                    .formatted(options.maxConcurrency()))
            .toQueryException();
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
  public List<Labels> series(List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException {
    TreeSet<Labels> found = new TreeSet<>();
    try (Querier querier = store.querier(range.minMs(), range.maxMs())) {
      for (List<Matcher> matchers : selections) {
        for (Series series : querier.select(matchers)) {
          checkWanted();
          found.add(series.labels());
        }
      }
    }
    return limited(found, limit);
  }

  @Override
  public List<String> labelNames(List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException {
    return union(selections, range, limit, Querier::labelNames);
  }

  @Override
  public List<String> labelValues(
      String name, List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException {
    return union(
        selections, range, limit, (querier, matchers) -> querier.labelValues(name, matchers));
  }

  private List<String> union(
      List<List<Matcher>> selections,
      TimeRange range,
      int limit,
      BiFunction<Querier, List<Matcher>, List<String>> question)
      throws QueryException {
    TreeSet<String> found = new TreeSet<>(Utf8Order.INSTANCE);
    try (Querier querier = store.querier(range.minMs(), range.maxMs())) {
      List<List<Matcher>> asked = selections.isEmpty() ? List.of(List.of()) : selections;
      for (List<Matcher> matchers : asked) {
        checkWanted();
        found.addAll(question.apply(querier, matchers));
      }
    }
    return limited(found, limit);
  }

  /** Ends work that the caller was told to give up. */
  private static void checkWanted() throws QueryException {
    if (Thread.currentThread().isInterrupted()) {
      throw new QueryException(QueryException.Kind.CANCELED, "the question was canceled");
    }
  }

  private static <T> List<T> limited(SortedSet<T> found, int limit) {
    return limit > 0 ? found.stream().limit(limit).toList() : new ArrayList<>(found);
  }

  @Override
  public Map<String, List<MetricMetadata>> metadata() {
    return metadata.metadata();
  }
}
