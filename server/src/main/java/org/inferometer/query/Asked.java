package org.inferometer.query;

import java.time.Duration;
import org.inferometer.promql.Expr;
import org.inferometer.query.Evaluation.QueryTimes;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryService.RangeQuery;
import org.jspecify.annotations.Nullable;

/** The times that a query is asked for, checked. */
record Asked(QueryTimes times, Steps steps) {
  /** Leaves room for windows and offsets to be added without overflow. */
  private static final long TIME_MS_MAX = 1_000_000_000_000_000_000L;

  static Asked of(InstantQuery query, EngineOptions options) throws QueryException {
    return instant(query.timeMs(), query.lookback(), options);
  }

  static Asked of(RangeQuery query, EngineOptions options) throws QueryException {
    return range(query.startMs(), query.endMs(), query.stepMs(), query.lookback(), options);
  }

  static Asked instant(long timeMs, @Nullable Duration lookback, EngineOptions options)
      throws QueryException {
    requireTime(timeMs);
    return new Asked(
        new QueryTimes(timeMs, timeMs, 0, lookbackMs(lookback, options)), Steps.at(timeMs));
  }

  static Asked range(
      long startMs, long endMs, long stepMs, @Nullable Duration lookback, EngineOptions options)
      throws QueryException {
    if (stepMs <= 0) {
      throw badData("zero or negative query resolution step widths are not accepted");
    }
    requireTime(startMs);
    requireTime(endMs);
    if (endMs < startMs) {
      throw badData("end timestamp must not be before start time");
    }
    if ((endMs - startMs) / stepMs >= options.maxSamples()) {
      throw badData(
          "the range has more steps than query.max-samples = %d; use a longer step, or raise it with serve --query.max-samples"
              .formatted(options.maxSamples()));
    }
    return new Asked(
        new QueryTimes(startMs, endMs, stepMs, lookbackMs(lookback, options)),
        Steps.range(startMs, endMs, stepMs));
  }

  private static void requireTime(long timeMs) throws QueryException {
    if (Math.abs(timeMs) > TIME_MS_MAX || timeMs == Long.MIN_VALUE) {
      throw badData("expected a time within 30 million years of 1970, got " + timeMs + " ms");
    }
  }

  private static long lookbackMs(@Nullable Duration lookback, EngineOptions options)
      throws QueryException {
    long ms = (lookback == null ? options.lookback() : lookback).toMillis();
    if (ms <= 0) {
      throw badData("the lookback must be positive, got " + ms + "ms");
    }
    return ms;
  }

  private static QueryException badData(String message) {
    return new QueryException(QueryException.Kind.BAD_DATA, message);
  }

  /** The value of an expression at these times. */
  QueryValue value(Evaluator evaluator, Expr expr) {
    Results results = new Results(evaluator, steps);
    return times.stepMs() > 0 ? results.range(expr) : results.instant(expr);
  }
}
