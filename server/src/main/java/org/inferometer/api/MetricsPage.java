package org.inferometer.api;

import org.inferometer.exposition.ExpositionWriter;

/** The program's own metrics. */
@FunctionalInterface
public interface MetricsPage {
  void write(ExpositionWriter page);
}
