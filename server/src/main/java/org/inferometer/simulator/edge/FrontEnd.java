package org.inferometer.simulator.edge;

import java.util.List;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Server;

/**
 * The API front end of a replica: tokenises, hands to an engine, detokenises, on the event loop of
 * one of its processes. It measures what vLLM's front end measures.
 */
public interface FrontEnd extends Server {
  Knobs knobs();

  List<Engine> engines();

  /** Of each process. */
  List<Measures> processes();

  /** The process dies: all its requests fail with a broken connection. */
  void stop();
}
