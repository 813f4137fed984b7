package org.inferometer.signals;

/** What sort of number a signal is. */
public enum SignalKind {
  GAUGE,
  RATE,
  QUANTILE,
  SHARE,
  /** Only a lower and an upper bound can be told; there is no value between them. */
  BOUNDS
}
