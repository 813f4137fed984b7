package org.inferometer.promql;

/** A query that isn't well formed; the message reads {@code line:column: parse error: ...}. */
public final class ParseException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Span span;

  public ParseException(String query, Span span, String problem) {
    super(span.lineAndColumn(query) + ": parse error: " + problem);
    this.span = span;
  }

  public Span span() {
    return span;
  }
}
