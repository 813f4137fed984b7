package org.inferometer.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.MetricMetadata;
import org.inferometer.query.Explanation.Explained;
import org.jspecify.annotations.Nullable;

/**
 * Questions about series, wherever they are kept: the embedded evaluator over a local {@code
 * Queryable}, or a Prometheus-compatible server. Everything above knows only this. Thread-safe.
 */
public interface QueryService {
  QueryResult instant(InstantQuery query) throws QueryException;

  QueryResult range(RangeQuery query) throws QueryException;

  /**
   * The outcomes of many queries over the same times, in their order. What they have in common may
   * be done once.
   *
   * @throws QueryException if none can be answered, or it was given up
   */
  default List<BatchOutcome> batch(BatchQuery batch) throws QueryException {
    List<BatchOutcome> outcomes = new ArrayList<>();
    for (String query : batch.queries()) {
      try {
        outcomes.add(
            new BatchOutcome.Answered(
                batch.isRange() ? range(batch.range(query)) : instant(batch.instant(query))));
      } catch (QueryException e) {
        if (e.kind() == QueryException.Kind.CANCELED) {
          throw e;
        }
        outcomes.add(new BatchOutcome.Failed(e));
      }
    }
    return outcomes;
  }

  /**
   * Like {@link #instant}, and tells what was done for it.
   *
   * @throws QueryException also if whoever answers doesn't tell
   */
  default Explained explain(InstantQuery query) throws QueryException {
    throw unexplained();
  }

  /**
   * Like {@link #range}, and tells what was done for it.
   *
   * @throws QueryException also if whoever answers doesn't tell
   */
  default Explained explain(RangeQuery query) throws QueryException {
    throw unexplained();
  }

  private static QueryException unexplained() {
    return new QueryException(
        QueryException.Kind.EXECUTION,
        "expected series that are evaluated here; their source doesn't tell how it evaluates");
  }

  /** The label sets that pass any of the selections, sorted, at most {@code limit} if it is > 0. */
  List<Labels> series(List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException;

  /** Label names over the selections, or over all series if there are none; sorted. */
  List<String> labelNames(List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException;

  /** Values of a label over the selections, or over all series if there are none; sorted. */
  List<String> labelValues(String name, List<List<Matcher>> selections, TimeRange range, int limit)
      throws QueryException;

  /** Descriptions of metric families by name. */
  Map<String, List<MetricMetadata>> metadata() throws QueryException;

  /** A stretch of time, both ends included. */
  record TimeRange(long minMs, long maxMs) {}

  /**
   * An evaluation at one time.
   *
   * @param lookback how old an instant selector's sample may be, null for the default
   * @param timeout null for the default; a longer one than the default is cut to it
   */
  record InstantQuery(
      String query, long timeMs, @Nullable Duration lookback, @Nullable Duration timeout) {
    public InstantQuery(String query, long timeMs) {
      this(query, timeMs, null, null);
    }
  }

  /** An evaluation at {@code startMs, startMs + stepMs, ...} up to {@code endMs}. */
  record RangeQuery(
      String query,
      long startMs,
      long endMs,
      long stepMs,
      @Nullable Duration lookback,
      @Nullable Duration timeout) {
    public RangeQuery(String query, long startMs, long endMs, long stepMs) {
      this(query, startMs, endMs, stepMs, null, null);
    }
  }

  /**
   * Queries over the same times.
   *
   * @param stepMs 0 for evaluations at {@code startMs} alone
   */
  record BatchQuery(List<String> queries, long startMs, long endMs, long stepMs) {
    public BatchQuery {
      queries = List.copyOf(queries);
    }

    public static BatchQuery at(List<String> queries, long timeMs) {
      return new BatchQuery(queries, timeMs, timeMs, 0);
    }

    boolean isRange() {
      return stepMs > 0;
    }

    InstantQuery instant(String query) {
      return new InstantQuery(query, startMs);
    }

    RangeQuery range(String query) {
      return new RangeQuery(query, startMs, endMs, stepMs);
    }
  }
}
