package org.inferometer.simulator.measure;

/** What a gateway counts of the requests it passes on. */
public enum GatewayQuantity implements Quantity {
  /** Requests by status code; those whose client went away aren't among them. */
  REQUESTS(Kind.COUNTERS),
  /** Failed requests by status code and reason ("504\ntimeout"). */
  FAILURES(Kind.COUNTERS),
  /** Requests whose client went away before the end. */
  CANCELLED(Kind.COUNTER),
  /** Seconds until the answer was sent whole, of those that succeeded. */
  SECONDS(Kind.DISTRIBUTION),
  /** Seconds from the upstream being asked until its answer ended, of those that succeeded. */
  UPSTREAM_SECONDS(Kind.DISTRIBUTION),
  /** Seconds that the gateway added, of those that succeeded. */
  OVERHEAD_SECONDS(Kind.DISTRIBUTION),
  /** Seconds from the upstream being asked until its end, through the tokens of its answer. */
  SECONDS_PER_TOKEN(Kind.DISTRIBUTION),
  /** Seconds until the first byte of the answer's body was sent; streams only. */
  FIRST_BYTE_SECONDS(Kind.DISTRIBUTION),
  /** Seconds spent waiting for a connection to an upstream. */
  CONNECTION_WAIT_SECONDS(Kind.DISTRIBUTION),
  /** Requests inside, and those of them that wait for a connection. */
  IN_FLIGHT(Kind.GAUGE),
  WAITING_FOR_CONNECTION(Kind.GAUGE),
  /** Requests sent to each upstream, by its name and URL ("qwen-0\nhttp://qwen-0.sim:8000/v1"). */
  ROUTED(Kind.COUNTERS),
  /** Those of them that succeeded, by the same. */
  ROUTED_OK(Kind.COUNTERS),
  /** Those that failed, by the same and by status and reason as in {@link #FAILURES}. */
  ROUTED_FAILED(Kind.COUNTERS),
  /** Of each upstream, by the same as {@link #ROUTED}: 0 in use, 2 left out because it failed. */
  UPSTREAM_STATE(Kind.GAUGES),
  /** Tokens of finished requests, as the answers' usage says. */
  PROMPT_TOKENS(Kind.COUNTER),
  GENERATION_TOKENS(Kind.COUNTER);

  private final Kind kind;

  GatewayQuantity(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }
}
