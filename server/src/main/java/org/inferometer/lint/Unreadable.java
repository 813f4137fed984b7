package org.inferometer.lint;

import java.util.stream.Collectors;

/** A document that can't be parsed. */
final class Unreadable extends Exception {
  private static final long serialVersionUID = 1L;

  private final int place;

  /**
   * @param place offset in the file
   */
  Unreadable(int place, String problem) {
    super(problem);
    this.place = place;
  }

  int place() {
    return place;
  }

  /** A parser's words without its excerpts and places, which are indented. */
  static String words(String message) {
    return message
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith(" "))
        .limit(2)
        .collect(Collectors.joining(", "));
  }
}
