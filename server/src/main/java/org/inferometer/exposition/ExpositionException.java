package org.inferometer.exposition;

/** A body was refused, by {@link Mode#PROMETHEUS} or {@link Mode#SPEC}. */
public final class ExpositionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient BadLine badLine;

  ExpositionException(BadLine badLine) {
    super(badLine.toString());
    this.badLine = badLine;
  }

  /** The first line that is wrong. */
  public BadLine badLine() {
    return badLine;
  }
}
