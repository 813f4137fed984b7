package org.inferometer.diagnosis.finding;

import org.inferometer.diagnosis.world.Reading;
import org.inferometer.signals.Quality;
import org.jspecify.annotations.Nullable;

/**
 * Something measured that speaks for or against a cause.
 *
 * @param layer in words: client, gateway, request, engine, gpu, host or telemetry
 * @param signal the signal that was measured, or a name for a quantity made of several
 * @param value in the window, in the unit
 * @param baseline before, or null
 * @param threshold what it was held against, or null
 * @param of what was measured: an instance, a GPU, a gateway; null for the service as a whole
 * @param service the id of the service whose signal it is, null for the one that is diagnosed
 * @param query the PromQL that shows it, or null
 * @param says a sentence with the value in it
 */
public record Evidence(
    String layer,
    String signal,
    double value,
    String unit,
    @Nullable Double baseline,
    @Nullable Double threshold,
    Quality quality,
    @Nullable String of,
    @Nullable String service,
    @Nullable String query,
    String says) {

  /** Evidence that a reading gives. */
  public static Evidence of(Reading reading, @Nullable Double threshold, String says) {
    return new Evidence(
        layer(reading),
        reading.signal(),
        reading.value(),
        reading.unit(),
        Double.isNaN(reading.baseline()) ? null : reading.baseline(),
        threshold,
        reading.quality(),
        null,
        null,
        reading.query(),
        says);
  }

  private static String layer(Reading reading) {
    return switch (reading.layer()) {
      case REQUEST -> "request";
      case ENGINE -> "engine";
      case GPU -> "gpu";
      case HOST -> "host";
    };
  }

  /** A quantity computed of several signals. */
  public static Evidence computed(
      String layer,
      String name,
      double value,
      String unit,
      @Nullable Double threshold,
      String says) {
    return new Evidence(
        layer, name, value, unit, null, threshold, Quality.DERIVED, null, null, null, says);
  }

  /** This, measured at a part of the service: an instance, a GPU. */
  public Evidence at(String part) {
    return new Evidence(
        layer, signal, value, unit, baseline, threshold, quality, part, service, query, says);
  }

  /** This, measured by another service: a gateway, a client, a host. */
  public Evidence by(String layer, String service, String name) {
    return new Evidence(
        layer, signal, value, unit, baseline, threshold, quality, name, service, query, says);
  }
}
