package org.inferometer.signals;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a dialect feeds a signal.
 *
 * @param alternatives in order of preference
 * @param absent why it may be missing, a sentence, or null
 * @param why what would change that it is missing, or null if that follows from the alternatives
 * @param fix the flag, setting or release that brings it, ready to be used, or null
 * @param blank why it may be there without a value, a sentence, or null
 */
record Mapping(
    List<Alternative> alternatives,
    @Nullable String absent,
    @Nullable Absence why,
    @Nullable String fix,
    @Nullable String blank) {
  Mapping {
    alternatives = List.copyOf(alternatives);
  }

  /** The same with other alternatives. */
  Mapping withAlternatives(List<Alternative> others) {
    return new Mapping(others, absent, why, fix, blank);
  }
}
