package org.inferometer.diagnosis.threshold;

import org.jspecify.annotations.Nullable;

/** The thresholds that hold for a service; users may set some for one. Thread-safe. */
@FunctionalInterface
public interface ThresholdSource {
  /** Those that come with the program, for all. */
  ThresholdSource BUILT_IN = (_, _) -> Thresholds.builtIn();

  /**
   * @param service the service's id
   * @param model the model that it serves, or null
   */
  Thresholds of(String service, @Nullable String model);
}
