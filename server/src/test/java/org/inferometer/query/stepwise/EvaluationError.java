package org.inferometer.query.stepwise;

/** A query that has no answer. */
public final class EvaluationError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EvaluationError(String message) {
    super(message);
  }
}
