package org.inferometer.simulator.fleet;

import java.util.List;
import org.inferometer.simulator.edge.FrontEnd;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.gpu.GpuDevice;
import org.inferometer.simulator.host.Host;
import org.inferometer.simulator.request.Server;
import org.inferometer.simulator.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a model: a process that comes and goes on GPUs and a host that stay. Requests sent
 * to it while it is down are refused.
 */
public interface Replica extends Server {
  /** How it was made; flags and release as they are now. */
  Scenario.Replicas made();

  /** Tokens of prompt and answer together. */
  int maxModelLen();

  /** Whether it is ready for requests. */
  boolean isUp();

  /** How often its process has started, the first time included. */
  int starts();

  /** When its process started the last time, in simulated nanoseconds. */
  long startedNs();

  /** Null while there is no process. */
  @Nullable FrontEnd frontEnd();

  /** Empty while there is no process. */
  List<Engine> engines();

  List<? extends GpuDevice> gpus();

  Host host();
}
