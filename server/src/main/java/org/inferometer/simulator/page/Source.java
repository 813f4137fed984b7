package org.inferometer.simulator.page;

/** Gives the number of a line at a moment. */
@FunctionalInterface
interface Source {
  double number(long nowNs);

  /** Multiplied by a factor. */
  default Source times(double scale) {
    return scale == 1 ? this : nowNs -> number(nowNs) * scale;
  }
}
