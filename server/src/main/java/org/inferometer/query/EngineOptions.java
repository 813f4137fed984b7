package org.inferometer.query;

import java.time.Duration;

/**
 * Limits and habits of the evaluator. Those that Prometheus has too carry its names and defaults.
 *
 * @param lookback {@code query.lookback-delta}: an instant selector takes no sample that is this
 *     old or older
 * @param subqueryStep {@code evaluation_interval}: step of a subquery that names none
 * @param maxSamples {@code query.max-samples}: points of intermediate results and decoded samples
 *     that one query may hold at a time
 * @param maxSeries {@code query.max-series}: series that one selector may select
 * @param maxNesting {@code query.max-nesting}: depth of the expression tree
 * @param timeout {@code query.timeout}: wall time of one query, waiting included
 * @param maxConcurrency {@code query.max-concurrency}: queries evaluated at a time; others wait
 * @param delayedNameRemoval {@code promql-delayed-name-removal}: whether a metric name that an
 *     operation drops stays visible to the operations around it and goes at the end
 * @param startTimestamps {@code use-start-timestamps}: whether functions of counters go by when
 *     samples say that they began to count, and {@code start_timestamp()} tells it
 */
public record EngineOptions(
    Duration lookback,
    Duration subqueryStep,
    long maxSamples,
    int maxSeries,
    int maxNesting,
    Duration timeout,
    int maxConcurrency,
    boolean delayedNameRemoval,
    boolean startTimestamps) {

  /**
   * The most steps of a range query that the HTTP API takes, as in Prometheus: 11,000 intervals, so
   * 11,001 points.
   */
  public static final int MAX_STEPS = 11_000;

  public static final EngineOptions DEFAULT =
      new EngineOptions(
          Duration.ofMinutes(5),
          Duration.ofMinutes(1),
          50_000_000,
          1_000_000,
          500,
          Duration.ofMinutes(2),
          20,
          false,
          false);

  public EngineOptions {
    requirePositive(lookback.toMillis(), "query.lookback-delta");
    requirePositive(subqueryStep.toMillis(), "evaluation_interval");
    requirePositive(maxSamples, "query.max-samples");
    requirePositive(maxSeries, "query.max-series");
    requirePositive(maxNesting, "query.max-nesting");
    requirePositive(timeout.toMillis(), "query.timeout");
    requirePositive(maxConcurrency, "query.max-concurrency");
  }

  public EngineOptions withMaxSamples(long limit) {
    return new EngineOptions(
        lookback,
        subqueryStep,
        limit,
        maxSeries,
        maxNesting,
        timeout,
        maxConcurrency,
        delayedNameRemoval,
        startTimestamps);
  }

  public EngineOptions withMaxSeries(int limit) {
    return new EngineOptions(
        lookback,
        subqueryStep,
        maxSamples,
        limit,
        maxNesting,
        timeout,
        maxConcurrency,
        delayedNameRemoval,
        startTimestamps);
  }

  public EngineOptions withTimeout(Duration limit) {
    return new EngineOptions(
        lookback,
        subqueryStep,
        maxSamples,
        maxSeries,
        maxNesting,
        limit,
        maxConcurrency,
        delayedNameRemoval,
        startTimestamps);
  }

  public EngineOptions withMaxConcurrency(int limit) {
    return new EngineOptions(
        lookback,
        subqueryStep,
        maxSamples,
        maxSeries,
        maxNesting,
        timeout,
        limit,
        delayedNameRemoval,
        startTimestamps);
  }

  public EngineOptions withDelayedNameRemoval(boolean delayed) {
    return new EngineOptions(
        lookback,
        subqueryStep,
        maxSamples,
        maxSeries,
        maxNesting,
        timeout,
        maxConcurrency,
        delayed,
        startTimestamps);
  }

  public EngineOptions withStartTimestamps(boolean used) {
    return new EngineOptions(
        lookback,
        subqueryStep,
        maxSamples,
        maxSeries,
        maxNesting,
        timeout,
        maxConcurrency,
        delayedNameRemoval,
        used);
  }

  private static void requirePositive(long value, String name) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive, got " + value);
    }
  }
}
