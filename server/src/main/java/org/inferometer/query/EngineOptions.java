package org.inferometer.query;

import java.time.Duration;
import org.inferometer.promql.ParserOptions;

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
 * @param language which parts of the language are allowed
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
    boolean startTimestamps,
    ParserOptions language) {

  /** Prometheus's defaults, and the whole language. */
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
          false,
          ParserOptions.ALL);

  public EngineOptions {
    requirePositive(lookback.toMillis(), "query.lookback-delta");
    requirePositive(subqueryStep.toMillis(), "evaluation_interval");
    requirePositive(maxSamples, "query.max-samples");
    requirePositive(maxSeries, "query.max-series");
    requirePositive(maxNesting, "query.max-nesting");
    requirePositive(timeout.toMillis(), "query.timeout");
    requirePositive(maxConcurrency, "query.max-concurrency");
  }

  private static void requirePositive(long value, String name) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive, got " + value);
    }
  }

  /** A copy to be changed. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Options that are being put together. Not thread-safe. */
  public static final class Builder {
    private Duration lookback;
    private Duration subqueryStep;
    private long maxSamples;
    private int maxSeries;
    private int maxNesting;
    private Duration timeout;
    private int maxConcurrency;
    private boolean delayedNameRemoval;
    private boolean startTimestamps;
    private ParserOptions language;

    private Builder(EngineOptions options) {
      lookback = options.lookback;
      subqueryStep = options.subqueryStep;
      maxSamples = options.maxSamples;
      maxSeries = options.maxSeries;
      maxNesting = options.maxNesting;
      timeout = options.timeout;
      maxConcurrency = options.maxConcurrency;
      delayedNameRemoval = options.delayedNameRemoval;
      startTimestamps = options.startTimestamps;
      language = options.language;
    }

    public Builder lookback(Duration value) {
      lookback = value;
      return this;
    }

    public Builder subqueryStep(Duration value) {
      subqueryStep = value;
      return this;
    }

    public Builder maxSamples(long limit) {
      maxSamples = limit;
      return this;
    }

    public Builder maxSeries(int limit) {
      maxSeries = limit;
      return this;
    }

    public Builder maxNesting(int limit) {
      maxNesting = limit;
      return this;
    }

    public Builder timeout(Duration limit) {
      timeout = limit;
      return this;
    }

    public Builder maxConcurrency(int limit) {
      maxConcurrency = limit;
      return this;
    }

    public Builder delayedNameRemoval(boolean delayed) {
      delayedNameRemoval = delayed;
      return this;
    }

    public Builder startTimestamps(boolean used) {
      startTimestamps = used;
      return this;
    }

    public Builder language(ParserOptions allowed) {
      language = allowed;
      return this;
    }

    /**
     * @throws IllegalArgumentException if a value isn't positive
     */
    public EngineOptions build() {
      return new EngineOptions(
          lookback,
          subqueryStep,
          maxSamples,
          maxSeries,
          maxNesting,
          timeout,
          maxConcurrency,
          delayedNameRemoval,
          startTimestamps,
          language);
    }
  }
}
