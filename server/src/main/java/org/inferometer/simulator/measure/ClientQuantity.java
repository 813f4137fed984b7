package org.inferometer.simulator.measure;

/** What users feel: clients' own measurements, in seconds, from the time a request was due. */
public enum ClientQuantity implements Quantity {
  SENT(Kind.COUNTER),
  /** By outcome: ok, timeout, cancelled, refused, http_504, ... */
  ENDED(Kind.COUNTERS),
  IN_FLIGHT(Kind.GAUGE),
  TTFT(Kind.DISTRIBUTION),
  TPOT(Kind.DISTRIBUTION),
  /** The mean gap between a stream's tokens, once for each token after the first. */
  CHUNK_SECONDS(Kind.DISTRIBUTION),
  E2E(Kind.DISTRIBUTION),
  /** Time until the end by how it ended, empty for well: failed ones count here, unlike in E2E. */
  SECONDS(Kind.DISTRIBUTIONS),
  PROMPT_TOKENS(Kind.DISTRIBUTION),
  GENERATION_TOKENS(Kind.DISTRIBUTION);

  private final Kind kind;

  ClientQuantity(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }
}
