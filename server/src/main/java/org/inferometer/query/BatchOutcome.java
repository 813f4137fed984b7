package org.inferometer.query;

/** What one query of a batch came to; the others have theirs whatever it is. */
public sealed interface BatchOutcome {
  record Answered(QueryResult result) implements BatchOutcome {}

  record Failed(QueryException error) implements BatchOutcome {}
}
