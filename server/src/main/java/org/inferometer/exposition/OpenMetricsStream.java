package org.inferometer.exposition;

/**
 * OpenMetrics text of any length that comes in pieces of whole lines, read as Prometheus reads it:
 * the first bad line refuses it. Lines are counted over all pieces. Not thread-safe.
 *
 * <pre>{@code
 * do {
 *   stream.piece(bytes, length, isLast);
 *   for (Event event = parser.next(); event != Event.END; event = parser.next()) ...
 * } while (!isLast);
 * }</pre>
 */
public final class OpenMetricsStream {
  private final OpenMetricsParser parser = new OpenMetricsParser(Mode.PROMETHEUS);
  private boolean begun;

  /** The parser of all pieces. It isn't to be reset. */
  public ExpositionParser parser() {
    return parser;
  }

  /**
   * Goes on with the first bytes of an array, which mustn't change until the next piece. All of the
   * piece before was read.
   *
   * @param isLast whether nothing comes behind it; else it has to end in a line feed
   */
  public void piece(byte[] bytes, int length, boolean isLast) {
    if (!isLast && (length == 0 || bytes[length - 1] != '\n')) {
      throw new IllegalArgumentException("expected a piece that ends in a line feed");
    }
    if (begun) {
      parser.resume(bytes, length);
    } else {
      parser.reset(bytes, length);
    }
    parser.setLast(isLast);
    begun = true;
  }

  /** A refusal of the sample before for a reason of the caller's, at the end of its line. */
  public ExpositionException refusal(String reason, String expected) {
    return parser.refusalAtEnd(reason, expected);
  }

  /** A refusal of the line behind the pieces so far, of which all was read. */
  public ExpositionException refusalOfNext(String reason, String expected) {
    return parser.refusalOfNext(reason, expected);
  }
}
