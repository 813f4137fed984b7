package org.inferometer.exposition;

/**
 * A line that isn't kept, and why; in protobuf, which has no lines, a metric or what is left of a
 * family.
 *
 * @param unit what the place counts
 * @param line from 1; in protobuf the number of the family
 * @param column from 1, in characters; in protobuf the byte of the body, from 0
 * @param reason what is wrong
 * @param expected what should stand there
 * @param excerpt the line, shortened, control characters made visible; in protobuf the series
 */
public record BadLine(
    Unit unit, int line, int column, String reason, String expected, String excerpt) {
  /** What places count. */
  public enum Unit {
    LINE,
    FAMILY
  }

  /** A line of text. */
  public BadLine(int line, int column, String reason, String expected, String excerpt) {
    this(Unit.LINE, line, column, reason, expected, excerpt);
  }

  @Override
  public String toString() {
    return "%s: %s, expected %s: %s".formatted(place(), reason, expected, excerpt);
  }

  private String place() {
    return switch (unit) {
      case LINE -> "line %d, column %d".formatted(line, column);
      case FAMILY -> "family %d, byte %d".formatted(line, column);
    };
  }
}
