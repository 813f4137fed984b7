package org.inferometer.simulator.engine;

import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Request;

/**
 * One engine core: takes tokenised requests, runs steps as long as there is work, hands outputs to
 * its listener. All on the agenda's thread.
 */
public interface Engine {
  /** Its index among the data-parallel engines of a replica. */
  int index();

  EngineConfig config();

  Knobs knobs();

  /** What it has counted; a front end adds what it measures itself ({@code TTFT}, {@code E2E}). */
  Measures measures();

  /** A request arrives in the core. */
  void add(Request request);

  /** A request is dropped wherever it is; it gets no more outputs. Unknown ones are ignored. */
  void abort(Request request);

  int running();

  int waiting();

  /** Blocks used through those usable. */
  double kvUsage();

  /** The process dies: all requests are lost, nothing happens any more. */
  void stop();
}
