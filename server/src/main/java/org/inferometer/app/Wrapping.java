package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;

/** Breaks sentences into lines that a terminal has room for. */
final class Wrapping {
  /** What every terminal has. */
  static final int WIDTH = 80;

  private Wrapping() {}

  /**
   * The lines of a text, broken at blanks; a word that is longer than a line isn't broken.
   *
   * @param first what the first line begins with
   * @param others what the other lines begin with
   */
  static List<String> lines(String first, String others, String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(first);
    boolean isEmpty = true;
    for (String word : text.strip().split("\\s+")) {
      if (!isEmpty && length(line) + 1 + length(word) > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(others);
        isEmpty = true;
      }
      line.append(isEmpty ? "" : " ").append(word);
      isEmpty = false;
    }
    lines.add(line.toString());
    return lines;
  }

  private static int length(CharSequence text) {
    return (int) text.codePoints().count();
  }
}
