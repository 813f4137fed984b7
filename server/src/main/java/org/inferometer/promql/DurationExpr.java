package org.inferometer.promql;

/**
 * A length of time in brackets or after {@code offset}; arithmetic over literals, {@code step()}
 * and {@code range()} of the query.
 */
public sealed interface DurationExpr {
  /** In milliseconds, for a query with this step and this range (end - start). */
  long resolveMs(long stepMs, long rangeMs);

  record Fixed(long durationMs) implements DurationExpr {
    @Override
    public long resolveMs(long stepMs, long rangeMs) {
      return durationMs;
    }
  }

  /**
   * Anything that isn't a single literal.
   *
   * @param text as it prints
   * @param value seconds for a query's step and range in seconds
   */
  record Computed(String text, Seconds value, Span span) implements DurationExpr {
    @Override
    public long resolveMs(long stepMs, long rangeMs) {
      return Math.round(value.of(stepMs / 1000.0, rangeMs / 1000.0) * 1000);
    }
  }

  /** Seconds as a function of the query's step and range. */
  @FunctionalInterface
  interface Seconds {
    double of(double stepSeconds, double rangeSeconds);
  }
}
