package org.inferometer.signals;

/** What sort of number a signal is. */
public enum SignalKind {
  GAUGE,
  RATE,
  QUANTILE,
  SHARE
}
