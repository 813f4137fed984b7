package org.inferometer.query.script;

import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.Queryable;
import org.inferometer.time.Ticker;

/** The product's evaluator with the settings that the scripts assume. */
public final class LocalEvaluation implements Evaluation {
  /** The scripts' limit on samples in memory. */
  private static final long SAMPLES_MAX = 10_000;

  private static final EngineOptions OPTIONS =
      EngineOptions.DEFAULT.toBuilder()
          .delayedNameRemoval(true)
          .startTimestamps(true)
          .maxSamples(SAMPLES_MAX)
          .build();

  private final Ticker ticker;

  public LocalEvaluation(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public QueryResult instant(Queryable data, String query, long timeMs) throws QueryException {
    return service(data).instant(new QueryService.InstantQuery(query, timeMs));
  }

  @Override
  public QueryResult range(Queryable data, String query, long startMs, long endMs, long stepMs)
      throws QueryException {
    return service(data).range(new QueryService.RangeQuery(query, startMs, endMs, stepMs));
  }

  private QueryService service(Queryable data) {
    return new LocalQueryService(data, MetadataSource.none(), OPTIONS, ticker);
  }
}
