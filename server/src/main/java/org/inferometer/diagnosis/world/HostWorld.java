package org.inferometer.diagnosis.world;

/**
 * A host.
 *
 * @param id of the service that tells of it
 */
public record HostWorld(String id, String name, Readings readings) {
  public Reading get(String signal) {
    return readings.get(signal);
  }
}
