package org.inferometer.app;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code serve} that limit queries, as picocli reads them. */
final class QueryLimitOptions {
  @Option(
      names = QueryLimits.LOOKBACK,
      paramLabel = "DURATION",
      description = "How old a sample may be to count as current; 5m if not given.")
  private @Nullable String lookback;

  @Option(
      names = QueryLimits.SAMPLES,
      paramLabel = "NUMBER",
      description = "Samples that one query may hold in memory; 50000000 if not given.")
  private @Nullable String samples;

  @Option(
      names = QueryLimits.SERIES,
      paramLabel = "NUMBER",
      description = "Series that one selector may select; 1000000 if not given.")
  private @Nullable String series;

  @Option(
      names = QueryLimits.TIMEOUT,
      paramLabel = "DURATION",
      description = "How long a query may take; 2m if not given.")
  private @Nullable String timeout;

  @Option(
      names = QueryLimits.CONCURRENCY,
      paramLabel = "NUMBER",
      description = "Queries that are evaluated at a time; 20 if not given.")
  private @Nullable String concurrency;

  @Option(
      names = QueryLimits.FEATURE,
      paramLabel = "FEATURE,...",
      description = {
        "Allows what Prometheus keeps behind a flag of this name; may be repeated:",
        "promql-experimental-functions,",
        "promql-duration-expr,",
        "promql-extended-range-selectors,",
        "promql-binop-fill-modifiers,",
        "promql-delayed-name-removal,",
        "use-start-timestamps."
      })
  private List<String> features = new ArrayList<>();

  QueryLimits limits() {
    Map<String, String> flags = new HashMap<>();
    put(flags, QueryLimits.LOOKBACK, lookback);
    put(flags, QueryLimits.SAMPLES, samples);
    put(flags, QueryLimits.SERIES, series);
    put(flags, QueryLimits.TIMEOUT, timeout);
    put(flags, QueryLimits.CONCURRENCY, concurrency);
    return new QueryLimits(flags, features);
  }

  private static void put(Map<String, String> flags, String flag, @Nullable String value) {
    if (value != null) {
      flags.put(flag, value);
    }
  }
}
