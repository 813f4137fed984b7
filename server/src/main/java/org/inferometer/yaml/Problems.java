package org.inferometer.yaml;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with the signal files, so that all of it is told at once. */
public final class Problems {
  /** A query that is quoted may be as long as its file. */
  private static final int LENGTH_MAX = 1000;

  private final List<String> found = new ArrayList<>();

  public void add(Place place, String problem) {
    String text =
        problem.length() > LENGTH_MAX ? problem.substring(0, LENGTH_MAX) + "..." : problem;
    found.add(place + ": " + text);
  }

  public int count() {
    return found.size();
  }

  /**
   * @throws YamlException if there was any
   */
  public void throwIfAny() {
    if (!found.isEmpty()) {
      throw new YamlException(found);
    }
  }
}
