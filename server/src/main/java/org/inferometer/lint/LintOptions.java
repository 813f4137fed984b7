package org.inferometer.lint;

import org.jspecify.annotations.Nullable;

/**
 * What is known of the place where the queries will run.
 *
 * @param scrapeIntervalMs from scrape to scrape
 * @param intervalKnownFrom where that is known from, null if it is assumed
 * @param live the names that there are, null if nobody was asked
 */
public record LintOptions(
    long scrapeIntervalMs, @Nullable String intervalKnownFrom, @Nullable LiveNames live) {
  /** The scrape interval that is taken if nothing tells another. */
  public static final long ASSUMED_INTERVAL_MS = 15_000;

  /** Nothing is known. */
  public static LintOptions offline() {
    return new LintOptions(ASSUMED_INTERVAL_MS, null, null);
  }

  public LintOptions withInterval(long ms, String knownFrom) {
    return new LintOptions(ms, knownFrom, live);
  }

  public LintOptions withLive(LiveNames names) {
    return new LintOptions(scrapeIntervalMs, intervalKnownFrom, names);
  }
}
