package org.inferometer.api;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts of what the HTTP server did. Thread-safe. */
public final class RequestStats {
  private final Map<Integer, LongAdder> byStatus = new ConcurrentHashMap<>();
  private final LongAdder nanos = new LongAdder();

  void answered(int status, long durationNanos) {
    byStatus.computeIfAbsent(status, _ -> new LongAdder()).increment();
    nanos.add(durationNanos);
  }

  /** Requests answered, by HTTP status. */
  public Map<Integer, Long> byStatus() {
    Map<Integer, Long> counts = new TreeMap<>();
    byStatus.forEach((status, count) -> counts.put(status, count.sum()));
    return counts;
  }

  /** Time spent on all requests answered, in seconds. */
  public double seconds() {
    return nanos.sum() / 1e9;
  }
}
