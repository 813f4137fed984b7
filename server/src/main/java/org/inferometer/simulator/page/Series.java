package org.inferometer.simulator.page;

/** The lines of one set of labels: of a gauge one, of a histogram many. */
interface Series {
  void write(Bytes out, long nowNs);

  /** Whether it counted anything yet. */
  boolean hasMoved(long nowNs);
}
