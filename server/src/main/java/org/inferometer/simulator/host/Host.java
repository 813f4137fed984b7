package org.inferometer.simulator.host;

import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.measure.Measures;

/** A machine with cores, memory and GPUs. */
public interface Host {
  String name();

  int cores();

  Knobs knobs();

  /** A process begins here. */
  HostProcess start(String name, double residentBytes);

  /** What its exporter tells, brought up to now. */
  Measures measures();
}
