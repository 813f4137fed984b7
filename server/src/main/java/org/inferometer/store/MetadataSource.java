package org.inferometer.store;

import java.util.List;
import java.util.Map;
import org.inferometer.model.MetricMetadata;

/** What targets tell about metric families now. Thread-safe. */
@FunctionalInterface
public interface MetadataSource {
  /** Family name to its distinct descriptions over all targets. */
  Map<String, List<MetricMetadata>> metadata();

  /** A source that knows nothing. */
  static MetadataSource none() {
    return Map::of;
  }
}
