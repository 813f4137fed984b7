package org.inferometer.simulator.edge;

import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.host.HostProcess;
import org.inferometer.simulator.measure.Measures;

/** One process of an API front end: its event loop, what it counts, and what it has in hand. */
final class ApiProcess {
  final EventLoop loop;
  final ProcessMeter meter;

  /** Requests of its connections, and those of them that the engine doesn't have. */
  int connections;

  int here;

  /** Outputs that wait for their turn, and those that are being handed on. */
  OutputBatch batch = new OutputBatch();

  OutputBatch spare = new OutputBatch();

  /** Whether this step brought something for it. */
  boolean isInStep;

  ApiProcess(Agenda agenda, HostProcess process, Measures measures) {
    loop = new EventLoop(agenda, process);
    meter = new ProcessMeter(measures, process, agenda.now());
  }

  void leak(double bytesPerSecond, long nowNs) {
    meter.leak(bytesPerSecond, nowNs);
  }

  void bringUp() {
    meter.bringUp(connections, here);
  }

  void collectGarbage(long cpuNs) {
    if (cpuNs > 0) {
      loop.pause(0, cpuNs);
    }
  }
}
