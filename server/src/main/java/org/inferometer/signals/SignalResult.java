package org.inferometer.signals;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A signal of a service over time.
 *
 * @param unit as in the vocabulary, "" for a signal that it doesn't have
 * @param reason why it is absent, or how it was derived, or null
 * @param query the PromQL behind it, null if absent
 * @param goal the value that it should stay below, or null
 * @param counts what its values count, null if that isn't known
 * @param windowMs the window of rates in the query; 0 if absent
 */
public record SignalResult(
    String service,
    String signal,
    String unit,
    Quality quality,
    @Nullable String reason,
    @Nullable String query,
    List<SignalSeries> series,
    @Nullable Double goal,
    @Nullable Population counts,
    long windowMs) {
  public SignalResult {
    series = List.copyOf(series);
  }

  static SignalResult absent(String service, String signal, String unit, String reason) {
    return new SignalResult(
        service, signal, unit, Quality.ABSENT, reason, null, List.of(), null, null, 0);
  }

  /** This result with the series of one target only, whose labels it is split by. */
  SignalResult of(Target target) {
    List<SignalSeries> own =
        series.stream()
            .filter(one -> Target.of(one.labels()).equals(target))
            .map(SignalSeries::withoutTarget)
            .toList();
    return new SignalResult(
        service, signal, unit, quality, reason, query, own, goal, counts, windowMs);
  }
}
