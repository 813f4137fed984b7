package org.inferometer.signals;

import org.inferometer.query.QueryService;

/** The query service over a test's series. */
final class Backend {
  private Backend() {}

  static Signals signals(TestWorld world, Goals goals) {
    return new Signals(queries(world), () -> TestWorld.NOW_MS, () -> 0, goals);
  }

  static QueryService queries(TestWorld world) {
    return Scratch.over(world.series);
  }
}
