package org.inferometer.simulator.engine;

/**
 * How long steps take: GPUs and the CPU around them. It also accounts what the step does to them,
 * from its start to its end.
 */
public interface StepTimer {
  /** What it answers for a step that will never end. */
  long NEVER = Long.MAX_VALUE;

  /**
   * A step begins now.
   *
   * @return nanoseconds until its outputs are there, above 0, or {@link #NEVER}
   */
  long begin(StepWork work, long nowNs);
}
