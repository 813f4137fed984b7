package org.inferometer.tsdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.model.Labels;

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

  /** Those of a head, up to a number of each; walks all pairs. */
  static HeadCardinality of(SeriesIndex index, int limit) {
    List<Count> metrics = new ArrayList<>();
    List<Count> labels = new ArrayList<>();
    List<Count> bytes = new ArrayList<>();
    List<Count> pairs = new ArrayList<>();
    for (LabelIndex label : index.labels()) {
      labels.add(new Count(label.name(), label.valueCount()));
      long valueBytes = 0;
      for (Postings postings : label.all()) {
        valueBytes += (long) postings.size() * postings.value().getBytes(UTF_8).length;
        String pair = label.name() + "=" + postings.value();
        pairs.add(new Count(pair, postings.size()));
        if (label.name().equals(Labels.NAME)) {
          metrics.add(new Count(postings.value(), postings.size()));
        }
      }
      bytes.add(new Count(label.name(), valueBytes));
    }
    return new HeadCardinality(
        largest(metrics, limit),
        largest(labels, limit),
        largest(bytes, limit),
        largest(pairs, limit));
  }

  private static List<Count> largest(List<Count> counts, int limit) {
    return counts.stream()
        .sorted(Comparator.comparingLong(Count::count).reversed().thenComparing(Count::name))
        .limit(limit)
        .toList();
  }
}
