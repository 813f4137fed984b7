package org.inferometer.simulator.measure;

/** What a gateway counts of the requests it passes on. */
public enum GatewayQuantity implements Quantity {
  /** Requests by status code. */
  REQUESTS(Kind.COUNTERS),
  /** Failed requests by status code and reason ("504\ntimeout"). */
  FAILURES(Kind.COUNTERS),
  /** Seconds until the answer was sent whole. */
  SECONDS(Kind.DISTRIBUTION),
  /** Seconds from the upstream being asked until its answer ended. */
  UPSTREAM_SECONDS(Kind.DISTRIBUTION),
  /** Seconds until the first byte of the answer's body was sent. */
  FIRST_BYTE_SECONDS(Kind.DISTRIBUTION),
  /** Seconds spent waiting for a connection to an upstream. */
  CONNECTION_WAIT_SECONDS(Kind.DISTRIBUTION),
  /** Requests inside, and those of them that wait for a connection. */
  IN_FLIGHT(Kind.GAUGE),
  WAITING_FOR_CONNECTION(Kind.GAUGE),
  /** Requests sent to each upstream. */
  ROUTED(Kind.COUNTERS),
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
