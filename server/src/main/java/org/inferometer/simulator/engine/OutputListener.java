package org.inferometer.simulator.engine;

/** The front end, as an engine core sees it. */
public interface OutputListener {
  /** A step ended and has outputs. Called at that moment. */
  void onOutputs(Engine engine, StepOutputs outputs);
}
