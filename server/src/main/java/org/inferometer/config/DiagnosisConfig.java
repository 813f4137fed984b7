package org.inferometer.config;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How causes are looked for while the server runs.
 *
 * @param enabled whether they are, without being asked
 * @param intervalMs from look to look
 * @param windowMs how much of the past a look is about
 * @param thresholds by name, for all services
 * @param services thresholds by name, by the model or the id of a service
 */
public record DiagnosisConfig(
    boolean enabled,
    long intervalMs,
    long windowMs,
    Map<String, Double> thresholds,
    Map<String, Map<String, Double>> services) {
  /** A cause is told about a minute after it set in: two looks, and scrapes before them. */
  public static final DiagnosisConfig DEFAULT =
      new DiagnosisConfig(true, 30_000, 300_000, Map.of(), Map.of());

  public DiagnosisConfig {
    thresholds = Map.copyOf(thresholds);
    Map<String, Map<String, Double>> copies = new LinkedHashMap<>();
    services.forEach((service, values) -> copies.put(service, Map.copyOf(values)));
    services = Map.copyOf(copies);
  }
}
