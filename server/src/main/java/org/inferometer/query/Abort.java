package org.inferometer.query;

/**
 * The end of an evaluation that has no answer. Unchecked, so that it passes through lambdas and
 * workers; {@link LocalQueryService} turns it into a {@link QueryException}.
 */
final class Abort extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final QueryException.Kind kind;

  Abort(QueryException.Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** What the query asks for can't be computed from the data. */
  static Abort execution(String message) {
    return new Abort(QueryException.Kind.EXECUTION, message);
  }

  /** Two results that can't be told apart. */
  static Abort sameLabels() {
    return execution("vector cannot contain metrics with the same labelset");
  }

  /**
   * Prometheus's words for a query that takes too long, then which limit it is.
   *
   * @param where the phase that it was in
   */
  static Abort timeout(String where, String limit) {
    return new Abort(QueryException.Kind.TIMEOUT, "query timed out in " + where + ": " + limit);
  }

  QueryException toQueryException() {
    return new QueryException(kind, String.valueOf(getMessage()), this);
  }
}
