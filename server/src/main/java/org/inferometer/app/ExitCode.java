package org.inferometer.app;

/** How the program ends. */
final class ExitCode {
  /** Done, and nothing wrong. */
  static final int OK = 0;

  /** Done, and something was found. */
  static final int FOUND = 1;

  /** Wrong usage or bad input. */
  static final int USAGE = 2;

  /** It couldn't be done. */
  static final int FAILED = 3;

  private ExitCode() {}
}
