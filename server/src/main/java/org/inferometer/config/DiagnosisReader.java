package org.inferometer.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code inferometer.diagnosis}. */
final class DiagnosisReader {
  /** Looks take some hundred milliseconds, and nothing is scraped more often than this. */
  private static final long INTERVAL_MS_MIN = 1_000;

  private static final long INTERVAL_MS_MAX = 3_600_000;

  /** Rates need two scrapes. */
  private static final long WINDOW_MS_MIN = 30_000;

  private static final long WINDOW_MS_MAX = 86_400_000;

  private final @Nullable Collection<String> known;

  /**
   * @param known the names of all thresholds, or null to take any
   */
  DiagnosisReader(@Nullable Collection<String> known) {
    this.known = known;
  }

  DiagnosisConfig read(Section section) {
    DiagnosisConfig usual = DiagnosisConfig.DEFAULT;
    boolean enabled = section.bool("enabled", usual.enabled());
    long intervalMs =
        duration(section, "interval", INTERVAL_MS_MIN, INTERVAL_MS_MAX, usual.intervalMs());
    long windowMs = duration(section, "window", WINDOW_MS_MIN, WINDOW_MS_MAX, usual.windowMs());
    Map<String, Double> thresholds = thresholds(section.section("thresholds"));
    Map<String, Map<String, Double>> services = new LinkedHashMap<>();
    section.named("services").forEach((service, own) -> services.put(service, ofService(own)));
    section.finish();
    return new DiagnosisConfig(enabled, intervalMs, windowMs, thresholds, services);
  }

  private static long duration(
      Section section, String key, long minMs, long maxMs, long otherwiseMs) {
    Optional<Long> ms = section.durationMs(key);
    if (ms.isPresent() && (ms.get() < minMs || ms.get() > maxMs)) {
      section.expected(
          key,
          "a duration from %s to %s for %s"
              .formatted(Durations.format(minMs), Durations.format(maxMs), key));
      return otherwiseMs;
    }
    return ms.orElse(otherwiseMs);
  }

  private Map<String, Double> ofService(Section section) {
    Map<String, Double> thresholds = thresholds(section.section("thresholds"));
    section.finish();
    return thresholds;
  }

  private Map<String, Double> thresholds(Section section) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (String name : known == null ? section.keys() : known) {
      section.number(name).ifPresent(value -> values.put(name, value));
    }
    section.finish();
    return values;
  }
}
