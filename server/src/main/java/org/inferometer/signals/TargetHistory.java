package org.inferometer.signals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.model.Labels;

/**
 * How a target fared over a stretch of time: whether it was scraped, when it began anew, and how it
 * was set up. The arrays have one element a time and belong to the reader.
 *
 * @param service the id of the service it belongs to
 * @param timesMs ends of steps, ascending
 * @param up share of the scrapes of a step that worked, NaN where none was tried
 * @param starts when its process began, seconds since 1970, NaN where that isn't told
 * @param samples how many samples its page had, NaN where it wasn't scraped
 * @param settings by name, in order of time
 */
@SuppressWarnings("ArrayRecordComponent") // columns that are read and never compared
public record TargetHistory(
    String service,
    ServiceKind kind,
    String job,
    String instance,
    long[] timesMs,
    double[] up,
    double[] starts,
    double[] samples,
    Map<String, List<Setting>> settings) {

  public TargetHistory {
    settings = Map.copyOf(settings);
  }

  /**
   * A value that a setting had.
   *
   * @param fromMs when it was first seen
   * @param toMs when it was last seen
   */
  public record Setting(String value, long fromMs, long toMs) {}

  /** The settings as they were last seen, sorted by name. */
  public Map<String, String> now() {
    Map<String, String> now = new TreeMap<>();
    settings.forEach((name, values) -> now.put(name, values.getLast().value()));
    return now;
  }

  /** Whether these labels are of this target. */
  boolean isOf(Labels labels) {
    return labels.get("job").equals(job) && labels.get("instance").equals(instance);
  }
}
