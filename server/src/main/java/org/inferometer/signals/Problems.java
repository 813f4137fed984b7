package org.inferometer.signals;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with the signal files, so that all of it is told at once. */
final class Problems {
  private final List<String> found = new ArrayList<>();

  void add(Place place, String problem) {
    found.add(place + ": " + problem);
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
