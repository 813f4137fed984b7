package org.inferometer.signals;

/** What a metric family is, whatever its name or its type line says. */
public enum FamilyType {
  /** Rises until its process restarts. */
  COUNTER,
  GAUGE,
  /** Classic histogram: {@code _bucket}, {@code _sum} and {@code _count}. */
  HISTOGRAM,
  /** Quantiles of one process; they can't be put together over replicas. */
  SUMMARY,
  /** Always 1; what it tells stands in its labels. */
  INFO;

  /** Whether its samples end in {@code _sum} and {@code _count}. */
  public boolean hasSumAndCount() {
    return this == HISTOGRAM || this == SUMMARY;
  }
}
