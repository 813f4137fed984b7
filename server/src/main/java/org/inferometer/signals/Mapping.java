package org.inferometer.signals;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a dialect feeds a signal.
 *
 * @param alternatives in order of preference
 * @param absent why it may be missing, a sentence, or null
 * @param blank why it may be there without a value, a sentence, or null
 */
record Mapping(List<Alternative> alternatives, @Nullable String absent, @Nullable String blank) {
  Mapping {
    alternatives = List.copyOf(alternatives);
  }
}
