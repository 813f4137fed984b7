package org.inferometer.yaml;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with the signal files, so that all of it is told at once. */
public final class Problems {
  /** A query that is quoted may be as long as its file. */
  private static final int LENGTH_MAX = 1000;

  /** Nobody reads more at a time, and a file may have one in each of a million characters. */
  private static final int TOLD_MAX = 100;

  private final List<String> found = new ArrayList<>();
  private int count;

  public void add(Place place, String problem) {
    count++;
    if (found.size() < TOLD_MAX) {
      String text =
          problem.length() > LENGTH_MAX ? problem.substring(0, LENGTH_MAX) + "..." : problem;
      found.add(place + ": " + text);
    }
  }

  public int count() {
    return count;
  }

  /**
   * @throws YamlException if there was any
   */
  public void throwIfAny() {
    if (count > found.size()) {
      found.add("and " + (count - found.size()) + " more");
    }
    if (!found.isEmpty()) {
      throw new YamlException(found);
    }
  }
}
