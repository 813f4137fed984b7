package org.inferometer.store;

import java.util.List;
import org.inferometer.model.Matcher;

/**
 * Reads one consistent stretch of time. Thread-safe. What it returns is valid until it is closed.
 */
public interface Querier extends AutoCloseable {
  /** The series that pass all matchers and have a sample in the stretch, sorted by labels. */
  List<Series> select(List<Matcher> matchers);

  /** The label names of those series, sorted, each once; all series for no matchers. */
  List<String> labelNames(List<Matcher> matchers);

  /** The values of a label among those series, sorted, each once; all series for no matchers. */
  List<String> labelValues(String name, List<Matcher> matchers);

  /**
   * What couldn't be read of what was asked for so far, a sentence for each place: damaged files
   * that were passed over. Complete once all has been read.
   */
  default List<String> warnings() {
    return List.of();
  }

  @Override
  void close();
}
