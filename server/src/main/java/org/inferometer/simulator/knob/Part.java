package org.inferometer.simulator.knob;

/** The kinds of parts that have knobs. */
public enum Part {
  WORKLOAD,
  CLIENT,
  GATEWAY,
  SERVER,
  ENGINE,
  GPU,
  HOST,
  SCRAPE
}
