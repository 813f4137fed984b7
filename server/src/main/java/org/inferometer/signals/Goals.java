package org.inferometer.signals;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The goals that users set for their services. Thread-safe. */
@FunctionalInterface
public interface Goals {
  Goals NONE = (service, model) -> Map.of();

  /**
   * The values that signals of a service should stay below, by signal name, in the signal's unit.
   *
   * @param service the service's id
   * @param model the model that it serves, or null
   */
  Map<String, Double> of(String service, @Nullable String model);
}
