package org.inferometer.simulator.page;

/**
 * The lines of a summary without quantiles.
 *
 * @param countsFirst whether the count stands before the sum
 */
record SummarySeries(NumberSeries sum, NumberSeries count, boolean countsFirst) implements Series {
  @Override
  public boolean hasMoved(long nowNs) {
    return count.hasMoved(nowNs);
  }

  @Override
  public void write(Bytes out, long nowNs) {
    (countsFirst ? count : sum).write(out, nowNs);
    (countsFirst ? sum : count).write(out, nowNs);
  }
}
