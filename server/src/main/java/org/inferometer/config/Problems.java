package org.inferometer.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the problems of one file, so that all are shown at once. Not thread-safe. */
final class Problems {
  /** Nobody reads more, and a hostile file shouldn't fill the log. */
  static final int SHOWN_MAX = 100;

  private final String file;
  private final List<Problem> found = new ArrayList<>();
  private int count;

  Problems(String file) {
    this.file = file;
  }

  void add(int line, int column, String message) {
    count++;
    Problem problem = new Problem(file, line, column, message);
    if (found.size() < SHOWN_MAX && !found.contains(problem)) {
      found.add(problem);
    }
  }

  void add(YamlNode at, String message) {
    add(at.line(), at.column(), message);
  }

  void expected(YamlNode found, String expected) {
    add(found, "found " + found.describe() + ", expected " + expected);
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** In the order of the file; the last one says how many aren't shown. */
  List<Problem> list() {
    List<Problem> sorted = new ArrayList<>(found);
    sorted.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
    if (count > SHOWN_MAX && found.size() == SHOWN_MAX) {
      Problem last = sorted.getLast();
      sorted.add(
          new Problem(file, last.line(), last.column(), (count - SHOWN_MAX) + " more problems"));
    }
    return List.copyOf(sorted);
  }
}
