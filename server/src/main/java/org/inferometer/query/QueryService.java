package org.inferometer.query;

import java.time.Duration;
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
}
