package org.inferometer.signals;

import java.util.List;
import org.inferometer.model.Version;
import org.jspecify.annotations.Nullable;

/**
 * What the presence or absence of something says about an engine's release.
 *
 * @param test what is looked at
 * @param since the first release for which the test can hold, null if unknown
 * @param last the last release for which the test can hold, null if it still does
 */
record Marker(Test test, @Nullable Version since, @Nullable Version last) {
  sealed interface Test {
    /** A metric is there. */
    record Present(String metric) implements Test {}

    /** A metric isn't there although all the given ones are, beside which it would be. */
    record Absent(String metric, List<String> given) implements Test {
      public Absent {
        given = List.copyOf(given);
      }
    }

    /** The series of a model carry a label. */
    record WithLabel(String label) implements Test {}

    /** There are series of a model, and none carries the label. */
    record WithoutLabel(String label) implements Test {}
  }
}
