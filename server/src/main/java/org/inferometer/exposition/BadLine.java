package org.inferometer.exposition;

/**
 * A line that isn't kept, and why.
 *
 * @param line from 1
 * @param column from 1, in characters
 * @param reason what is wrong
 * @param expected what should stand there
 * @param excerpt the line, shortened, control characters made visible
 */
public record BadLine(int line, int column, String reason, String expected, String excerpt) {
  @Override
  public String toString() {
    return "line %d, column %d: %s, expected %s: %s"
        .formatted(line, column, reason, expected, excerpt);
  }
}
