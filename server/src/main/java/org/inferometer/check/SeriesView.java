package org.inferometer.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many series an endpoint makes, and which of them nobody needs.
 *
 * @param total as stored
 * @param families most series first
 * @param labels most distinct values first
 * @param relabel what drops the series that nobody needs, as YAML of a scrape config, or null
 */
public record SeriesView(
    int total,
    List<FamilyCount> families,
    List<LabelCount> labels,
    List<Drop> drops,
    @Nullable String relabel,
    double intervalSeconds) {
  /**
   * Bytes on disk of a compacted sample: measured with the series of an engine under load. Source:
   * docs/performance.md, "bytes a sample on disk, compacted".
   */
  public static final double BYTES_PER_SAMPLE = 2.1;

  private static final double DAY_SECONDS = 86_400;

  public SeriesView {
    families = List.copyOf(families);
    labels = List.copyOf(labels);
    drops = List.copyOf(drops);
  }

  /**
   * A family with the number of its series.
   *
   * @param known whether it is in the catalogue
   * @param needed whether a signal reads it
   */
  public record FamilyCount(String name, int series, boolean known, boolean needed) {}

  /** A label with how many values it has, over how many series. */
  public record LabelCount(String name, int values, int series) {}

  /** Series that can be dropped. */
  public record Drop(String what, int series, String why) {}

  public long samplesPerDay() {
    return Math.round(total * DAY_SECONDS / intervalSeconds);
  }

  public long bytesPerDay() {
    return Math.round(samplesPerDay() * BYTES_PER_SAMPLE);
  }

  int droppable() {
    return drops.stream().mapToInt(Drop::series).sum();
  }
}
