package org.inferometer.api;

import java.io.IOException;
import java.io.OutputStream;

/** The program's own metrics as exposition text. */
@FunctionalInterface
public interface MetricsPage {
  /**
   * @param openMetrics whether to write OpenMetrics 1.0 rather than Prometheus's text 0.0.4
   */
  void write(OutputStream out, boolean openMetrics) throws IOException;
}
