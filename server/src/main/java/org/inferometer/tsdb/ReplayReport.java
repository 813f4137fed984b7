package org.inferometer.tsdb;

import java.util.List;

/**
 * What became of the logs at a start.
 *
 * @param problems a sentence for each damage: file, offset, what was lost
 */
record ReplayReport(long series, long samples, long bytes, List<String> problems) {
  ReplayReport {
    problems = List.copyOf(problems);
  }
}
