package org.inferometer.diagnosis;

import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.Signals;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.Queryable;
import org.inferometer.time.Ticker;

/** What series come to by themselves: nothing is told beside them. */
public final class SeriesDiagnosis {
  /** Read once, since tests diagnose hundreds of series. */
  private static final Catalogue CATALOGUE = Catalogue.builtIn();

  private SeriesDiagnosis() {}

  /** The signals of series at a time. */
  public static Signals signals(Queryable series, long atMs) {
    Ticker ticker = Ticker.system();
    LocalQueryService queries =
        new LocalQueryService(series, MetadataSource.none(), EngineOptions.DEFAULT, ticker);
    return new Signals(CATALOGUE, queries, () -> atMs, ticker, Goals.NONE, Facts.NONE);
  }

  /** The report on the last stretch before a time. */
  public static Report of(Queryable series, long atMs, long windowMs) throws QueryException {
    return new Diagnoser(signals(series, atMs), ThresholdSource.BUILT_IN)
        .diagnose(Diagnoser.Request.of(atMs, windowMs));
  }
}
