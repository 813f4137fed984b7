package org.inferometer.diagnosis.world;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One replica of an engine.
 *
 * @param upShare share of its scrapes in the window that worked, NaN if none was tried
 * @param gpus those that are known to be its own
 * @param host the machine it runs on, null if that isn't known
 * @param settings flags and sizes that its page tells, as the engine calls them, such as {@code
 *     gpu_memory_utilization}
 */
public record ReplicaWorld(
    String instance,
    String job,
    @Nullable String name,
    double upShare,
    Readings readings,
    List<GpuWorld> gpus,
    @Nullable HostWorld host,
    Map<String, String> settings) {
  /** A replica whose settings aren't known. */
  public ReplicaWorld(
      String instance,
      String job,
      @Nullable String name,
      double upShare,
      Readings readings,
      List<GpuWorld> gpus,
      @Nullable HostWorld host) {
    this(instance, job, name, upShare, readings, gpus, host, Map.of());
  }

  public ReplicaWorld {
    gpus = List.copyOf(gpus);
    settings = Map.copyOf(settings);
  }

  public Reading get(String signal) {
    return readings.get(signal);
  }
}
