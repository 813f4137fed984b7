package org.inferometer.signals;

/** How a service fares. */
public enum State {
  OK(0),
  IDLE(0),
  UNKNOWN(0),
  DEGRADED(1),
  CRITICAL(2),
  DOWN(3);

  private final int severity;

  State(int severity) {
    this.severity = severity;
  }

  /** Larger is worse; what asks for nobody's attention is 0. */
  int severity() {
    return severity;
  }
}
