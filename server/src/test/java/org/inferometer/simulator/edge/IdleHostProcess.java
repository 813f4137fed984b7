package org.inferometer.simulator.edge;

import org.inferometer.simulator.host.HostProcess;

/** A process on a host where nothing else goes on. */
public final class IdleHostProcess implements HostProcess {
  private long usedNs;
  private double resident = 1e9;
  public boolean ended;

  @Override
  public String name() {
    return "api";
  }

  @Override
  public long run(long cpuNs) {
    usedNs += cpuNs;
    return cpuNs;
  }

  @Override
  public double cpuSeconds() {
    return usedNs / 1e9;
  }

  @Override
  public double residentBytes() {
    return resident;
  }

  @Override
  public void setResidentBytes(double bytes) {
    resident = bytes;
  }

  @Override
  public void end() {
    ended = true;
  }
}
