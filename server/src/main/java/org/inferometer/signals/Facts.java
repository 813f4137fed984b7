package org.inferometer.signals;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What users told of their deployments. Thread-safe. */
@FunctionalInterface
public interface Facts {
  Facts NONE = (service, model) -> Map.of();

  /**
   * What was told of a service, by {@link Fact#key}, each above 0; other keys mean nothing.
   *
   * @param service the service's id
   * @param model the model that it serves, or null
   */
  Map<String, Double> of(String service, @Nullable String model);
}
