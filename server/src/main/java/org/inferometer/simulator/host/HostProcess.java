package org.inferometer.simulator.host;

/** A process on a host: its CPU time, and how long it takes there. */
public interface HostProcess {
  String name();

  /**
   * Uses the CPU from now on, on one core.
   *
   * @param cpuNs CPU time needed, on a core of usual speed
   * @return wall time that this takes with all that goes on at the host
   */
  long run(long cpuNs);

  /** CPU seconds used so far. */
  double cpuSeconds();

  /** Bytes of memory it has. */
  double residentBytes();

  void setResidentBytes(double bytes);

  /** It ends; its memory is free. */
  void end();
}
