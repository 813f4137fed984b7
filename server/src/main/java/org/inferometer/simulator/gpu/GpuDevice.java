package org.inferometer.simulator.gpu;

import org.inferometer.hardware.Hardware;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.measure.Measures;

/** One GPU with its sensors. */
public interface GpuDevice {
  /** Its index in its host. */
  int index();

  String uuid();

  Hardware.Gpu model();

  Knobs knobs();

  /** What DCGM tells of it, brought up to now: gauges are of the last whole interval. */
  Measures measures();

  /** An Xid is reported; some take the GPU off the bus. */
  void xid(int code);

  boolean isLost();
}
