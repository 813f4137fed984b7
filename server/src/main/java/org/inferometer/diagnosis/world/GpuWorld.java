package org.inferometer.diagnosis.world;

import java.util.List;
import org.inferometer.hardware.Hardware;
import org.inferometer.signals.Gpu;
import org.inferometer.signals.GpuEvent;
import org.jspecify.annotations.Nullable;

/**
 * A GPU.
 *
 * @param gpu what it is and what it does now
 * @param events what happened to it since the baseline began, oldest first
 * @param spec what such a GPU can do, null if its model isn't known
 */
public record GpuWorld(
    Gpu gpu, Readings readings, List<GpuEvent> events, Hardware.@Nullable Gpu spec) {
  public GpuWorld {
    events = List.copyOf(events);
  }

  /** A GPU whose model's data sheet is looked up. */
  static GpuWorld of(Gpu gpu, Readings readings, List<GpuEvent> events) {
    Hardware.Gpu spec = gpu.model() == null ? null : Hardware.builtIn().find(gpu.model());
    return new GpuWorld(gpu, readings, events, spec);
  }

  /** The same with other readings. */
  GpuWorld with(Readings others) {
    return new GpuWorld(gpu, others, events, spec);
  }

  /** What people call it: {@code node-1/gpu3}. */
  public String name() {
    return (gpu.host() == null ? "" : gpu.host() + "/") + "gpu" + gpu.index();
  }

  public Reading get(String signal) {
    return readings.get(signal);
  }
}
