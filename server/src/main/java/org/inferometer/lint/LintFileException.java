package org.inferometer.lint;

/** A file that can't be read; the message names the file, the line and what was expected. */
public final class LintFileException extends Exception {
  private static final long serialVersionUID = 1L;

  public LintFileException(String message) {
    super(message);
  }

  LintFileException(String file, int line, int column, String problem) {
    super(file + ":" + line + ":" + column + ": " + problem);
  }
}
