package org.inferometer.signals;

/**
 * How long a stretch a rate is taken over: four scrape intervals, so that one missed scrape leaves
 * enough samples; a step and an interval, so that no increase between two values goes unseen; and
 * not under {@value #MIN_MS} ms, because latencies of few requests jump about.
 */
final class RateWindow {
  static final long MIN_MS = 60_000;

  private static final int INTERVALS = 4;

  private RateWindow() {}

  static long of(long intervalMs, long stepMs) {
    return Math.max(MIN_MS, Math.max(INTERVALS * intervalMs, stepMs + intervalMs));
  }
}
