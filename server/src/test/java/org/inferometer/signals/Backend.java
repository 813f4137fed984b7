package org.inferometer.signals;

import org.inferometer.promql.ParserOptions;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryService;
import org.inferometer.store.MetadataSource;
import org.inferometer.time.Ticker;

/** The query service over a test's series. */
final class Backend {
  /** Signals may not depend on features that a server is started without. */
  private static final EngineOptions STABLE =
      EngineOptions.DEFAULT.toBuilder().language(ParserOptions.STABLE).build();

  /** Read once; it never changes. */
  private static final Catalogue CATALOGUE = Catalogue.builtIn();

  private Backend() {}

  static Signals signals(TestWorld world, Goals goals) {
    return new Signals(CATALOGUE, queries(world), () -> TestWorld.NOW_MS, () -> 0, goals, Facts.NONE);
  }

  static QueryService queries(TestWorld world) {
    return new LocalQueryService(world.series, MetadataSource.none(), STABLE, Ticker.system());
  }
}
