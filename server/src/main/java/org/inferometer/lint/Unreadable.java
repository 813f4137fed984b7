package org.inferometer.lint;

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
}
