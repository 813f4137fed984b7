package org.inferometer.signals;

/** How far a value can be trusted to be what its signal means. */
public enum Quality {
  /** The engine measures this very quantity. */
  EXACT,
  /** Computed from exact quantities without an assumption. */
  DERIVED,
  /** Computed with an assumption that the reason states. */
  ESTIMATED,
  /** A different quantity that moves with the one meant. */
  PROXY,
  ABSENT
}
