package org.inferometer.signals;

import java.util.List;

/** All services at a time, worst first. */
public record ServiceSnapshot(long timeMs, List<Service> services) {
  public ServiceSnapshot {
    services = List.copyOf(services);
  }
}
