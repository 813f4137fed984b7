package org.inferometer.simulator.measure;

/** What the process of an API server counts of itself and of HTTP. */
public enum ServerQuantity implements Quantity {
  /** By method, handler and status group ("POST\n/v1/completions\n2xx"). */
  HTTP_REQUESTS(Kind.COUNTERS),
  /** Seconds, by method and handler. */
  HTTP_SECONDS(Kind.DISTRIBUTIONS),
  /** Seconds of all requests. */
  HTTP_SECONDS_ALL(Kind.DISTRIBUTION),
  /** Bytes and requests by handler. */
  HTTP_REQUEST_BYTES(Kind.COUNTERS),
  HTTP_RESPONSE_BYTES(Kind.COUNTERS),
  HTTP_HANDLED(Kind.COUNTERS),
  CPU_SECONDS(Kind.COUNTER),
  RESIDENT_BYTES(Kind.GAUGE),
  VIRTUAL_BYTES(Kind.GAUGE),
  OPEN_FILES(Kind.GAUGE),
  FILES_MAX(Kind.GAUGE),
  /** Collections of garbage, by generation 0, 1, 2. */
  GC_COLLECTIONS(Kind.COUNTERS),
  GC_COLLECTED(Kind.COUNTERS),
  GC_UNCOLLECTABLE(Kind.COUNTERS),
  /** Requests inside the process that the engine doesn't have (yet or any more). Truth only. */
  REQUESTS_HERE(Kind.GAUGE);

  private final Kind kind;

  ServerQuantity(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }
}
