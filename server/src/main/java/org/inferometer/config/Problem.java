package org.inferometer.config;

/**
 * Something wrong in a config file. Its text never holds a secret.
 *
 * @param file as it was named
 * @param line from 1
 * @param column from 1
 * @param message what was found and what was expected
 */
public record Problem(String file, int line, int column, String message) {
  @Override
  public String toString() {
    return file + ":" + line + ":" + column + ": " + message;
  }
}
