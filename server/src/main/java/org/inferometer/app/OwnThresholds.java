package org.inferometer.app;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.config.DiagnosisConfig;
import org.inferometer.diagnosis.threshold.Threshold;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.jspecify.annotations.Nullable;

/**
 * The thresholds that come with the program, with those of the config file in their place: for all
 * services, then for a model, then for a service. Thread-safe.
 */
final class OwnThresholds implements ThresholdSource {
  private final Thresholds all;
  private final Map<String, Map<String, Double>> services;

  private OwnThresholds(Thresholds all, Map<String, Map<String, Double>> services) {
    this.all = all;
    this.services = services;
  }

  static ThresholdSource of(DiagnosisConfig config) {
    if (config.thresholds().isEmpty() && config.services().isEmpty()) {
      return ThresholdSource.BUILT_IN;
    }
    Thresholds all = Thresholds.builtIn().with(config.thresholds());
    return new OwnThresholds(all, config.services());
  }

  /** The names that there are. */
  static Collection<String> names() {
    List<Threshold> all = List.copyOf(Thresholds.builtIn().all());
    return all.stream().map(Threshold::name).toList();
  }

  @Override
  public Thresholds of(String service, @Nullable String model) {
    Map<String, Double> own = new LinkedHashMap<>();
    if (model != null) {
      own.putAll(services.getOrDefault(model, Map.of()));
    }
    own.putAll(services.getOrDefault(service, Map.of()));
    return own.isEmpty() ? all : all.with(own);
  }
}
