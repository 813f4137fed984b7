package org.inferometer.tsdb;

import java.util.List;

/**
 * What makes a head large, each list from the largest on.
 *
 * @param seriesByMetric series by metric name
 * @param valuesByLabel different values by label name
 * @param valueBytesByLabel bytes of values by label name, counted once for each series
 * @param seriesByPair series by label name and value
 */
public record HeadCardinality(
    List<Count> seriesByMetric,
    List<Count> valuesByLabel,
    List<Count> valueBytesByLabel,
    List<Count> seriesByPair) {
  /** A name and how many there are of it. */
  public record Count(String name, long count) {}
}
