package org.inferometer.tsdb.wal;

import java.util.List;
import org.inferometer.model.MetricType;

/** The numbers and words in records of metadata. */
final class MetadataTypes {
  static final String UNIT = "UNIT";
  static final String HELP = "HELP";

  /** The place of each is its number. */
  private static final List<MetricType> TYPES =
      List.of(
          MetricType.UNKNOWN,
          MetricType.COUNTER,
          MetricType.GAUGE,
          MetricType.HISTOGRAM,
          MetricType.GAUGE_HISTOGRAM,
          MetricType.SUMMARY,
          MetricType.INFO,
          MetricType.STATE_SET);

  private MetadataTypes() {}

  static int code(MetricType type) {
    return TYPES.indexOf(type);
  }

  /** Numbers of types to come say nothing. */
  static MetricType type(int code) {
    return code < TYPES.size() ? TYPES.get(code) : MetricType.UNKNOWN;
  }
}
