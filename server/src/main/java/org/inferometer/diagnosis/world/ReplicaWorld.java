package org.inferometer.diagnosis.world;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One replica of an engine.
 *
 * @param upShare share of its scrapes in the window that worked, NaN if none was tried
 * @param gpus those that are known to be its own
 * @param host the machine it runs on, null if that isn't known
 */
public record ReplicaWorld(
    String instance,
    String job,
    @Nullable String name,
    double upShare,
    Readings readings,
    List<GpuWorld> gpus,
    @Nullable HostWorld host) {
  public ReplicaWorld {
    gpus = List.copyOf(gpus);
  }

  public Reading get(String signal) {
    return readings.get(signal);
  }
}
