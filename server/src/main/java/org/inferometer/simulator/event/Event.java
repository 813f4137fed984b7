package org.inferometer.simulator.event;

/** Something that happens at a simulated moment. */
@FunctionalInterface
public interface Event {
  void happen();
}
