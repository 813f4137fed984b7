package org.inferometer.signals;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with the signal files, so that all of it is told at once. */
final class Problems {
  /** A query that is quoted may be as long as its file. */
  private static final int LENGTH_MAX = 1000;

  private final List<String> found = new ArrayList<>();

  void add(Place place, String problem) {
    String text =
        problem.length() > LENGTH_MAX ? problem.substring(0, LENGTH_MAX) + "..." : problem;
    found.add(place + ": " + text);
  }

  int count() {
    return found.size();
  }

  /**
   * @throws SignalFileException if there was any
   */
  void throwIfAny() {
    if (!found.isEmpty()) {
      throw new SignalFileException(found);
    }
  }
}
