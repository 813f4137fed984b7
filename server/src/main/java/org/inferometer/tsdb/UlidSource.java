package org.inferometer.tsdb;

import java.util.random.RandomGenerator;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.block.Ulid;

/**
 * Makes names of blocks, each later in order than those before, also when the clock stands still or
 * goes back: of blocks with the same times the older one comes first. Thread-safe.
 */
final class UlidSource {
  private final WallClock clock;
  private final RandomGenerator random;
  private long lastMs;

  UlidSource(WallClock clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  synchronized Ulid next() {
    lastMs = Math.max(lastMs + 1, clock.nowMs());
    return Ulid.of(lastMs, random);
  }

  /** Random digits for other names. */
  synchronized String digits() {
    return "%016x".formatted(random.nextLong());
  }
}
