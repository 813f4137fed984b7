package org.inferometer.signals;

import java.util.List;

/**
 * All GPUs at a time, and what happened to them lately.
 *
 * @param leftOut how many more GPUs there are
 * @param events newest first
 */
public record GpuSnapshot(long timeMs, List<Gpu> gpus, int leftOut, List<GpuEvent> events) {
  /** GPUs beyond this many are left out. */
  public static final int GPUS_MAX = 2_000;

  public GpuSnapshot {
    gpus = List.copyOf(gpus);
    events = List.copyOf(events);
  }
}
