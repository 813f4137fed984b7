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

  /** Read once; most tests ask of what comes with the program. */
  private static final Catalogue BUILT_IN = Catalogue.builtIn();

  private Backend() {}

  static Signals signals(TestWorld world, Goals goals) {
    return new Signals(
        BUILT_IN, queries(world), () -> TestWorld.NOW_MS, () -> 0, goals, Facts.NONE);
  }

  static QueryService queries(TestWorld world) {
    return new LocalQueryService(world.series, MetadataSource.none(), STABLE, Ticker.system());
  }
}
