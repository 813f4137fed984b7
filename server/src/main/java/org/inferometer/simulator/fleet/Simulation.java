package org.inferometer.simulator.fleet;

import java.util.List;

/** Something that goes on in simulated time and can be scraped. On one thread. */
public interface Simulation {
  /** The time of day at which it begins, in milliseconds since 1970. */
  long startMs();

  /** The simulated nanoseconds since then. */
  long now();

  /** Lets everything happen until a moment, this one included; then it is that moment. */
  void runUntil(long ns);

  /** What can be scraped now: the same list until something is added or gone. */
  List<Endpoint> endpoints();
}
