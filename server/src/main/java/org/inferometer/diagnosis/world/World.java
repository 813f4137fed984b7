package org.inferometer.diagnosis.world;

import java.util.List;

/**
 * What was measured of everything in a window.
 *
 * @param services the engines
 * @param telemetry what can't be trusted and belongs to no engine
 */
public record World(Period window, List<ServiceWorld> services, List<TelemetryProblem> telemetry) {
  public World {
    services = List.copyOf(services);
    telemetry = List.copyOf(telemetry);
  }
}
