package org.inferometer.query;

/** A query that has no answer; the kind decides the HTTP status. */
public final class QueryException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The error types of the HTTP API. */
  public enum Kind {
    BAD_DATA,
    EXECUTION,
    CANCELED,
    TIMEOUT,
    UNAVAILABLE,
    INTERNAL
  }

  private final Kind kind;

  public QueryException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public QueryException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
