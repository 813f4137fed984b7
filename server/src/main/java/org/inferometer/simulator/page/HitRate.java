package org.inferometer.simulator.page;

import java.util.ArrayDeque;
import java.util.Deque;

/** A cache's hit rate over the last thousand requests, as far as intervals tell. */
final class HitRate {
  /** vLLM's {@code CachingMetrics}. */
  private static final long REQUESTS = 1000;

  private record Interval(long requests, double queries, double hits) {}

  private final Deque<Interval> intervals = new ArrayDeque<>();
  private Interval before = new Interval(0, 0, 0);
  private long requests;
  private double queries;
  private double hits;

  /** Counts since the start. */
  void add(long requestsNow, double queriesNow, double hitsNow) {
    Interval now = new Interval(requestsNow, queriesNow, hitsNow);
    Interval rise =
        new Interval(
            requestsNow - before.requests, queriesNow - before.queries, hitsNow - before.hits);
    before = now;
    if (rise.queries == 0) {
      return;
    }
    intervals.add(rise);
    requests += rise.requests;
    queries += rise.queries;
    hits += rise.hits;
    while (intervals.size() > 1 && requests > REQUESTS) {
      Interval oldest = intervals.remove();
      requests -= oldest.requests;
      queries -= oldest.queries;
      hits -= oldest.hits;
    }
  }

  boolean hasSeenAny() {
    return !intervals.isEmpty();
  }

  double rate() {
    return queries == 0 ? 0 : hits / queries;
  }
}
