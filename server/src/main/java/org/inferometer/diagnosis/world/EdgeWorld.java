package org.inferometer.diagnosis.world;

/**
 * What is before an engine and measures requests from there: a gateway, a router, the clients
 * themselves.
 *
 * @param id of the service that tells of it
 */
public record EdgeWorld(String id, String name, Vantage vantage, Readings readings) {
  /** Where its clock ticks. */
  public enum Vantage {
    CLIENT,
    GATEWAY
  }

  public Reading get(String signal) {
    return readings.get(signal);
  }
}
