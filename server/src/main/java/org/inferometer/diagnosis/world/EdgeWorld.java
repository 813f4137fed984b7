package org.inferometer.diagnosis.world;

import java.util.List;

/**
 * What is before an engine and measures requests from there: a gateway, a router, the clients
 * themselves.
 *
 * @param id of the service that tells of it
 * @param others the readings of the other engines that it may send requests to
 */
public record EdgeWorld(
    String id, String name, Vantage vantage, Readings readings, List<Readings> others) {
  /** Where its clock ticks. */
  public enum Vantage {
    CLIENT,
    GATEWAY
  }

  public EdgeWorld {
    others = List.copyOf(others);
  }

  /** One that sends requests to a single engine. */
  public EdgeWorld(String id, String name, Vantage vantage, Readings readings) {
    this(id, name, vantage, readings, List.of());
  }

  public Reading get(String signal) {
    return readings.get(signal);
  }
}
