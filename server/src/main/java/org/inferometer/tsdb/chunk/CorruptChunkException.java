package org.inferometer.tsdb.chunk;

/** Thrown for bytes that aren't a chunk: it ends early, or says something that can't be. */
public final class CorruptChunkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CorruptChunkException(String message) {
    super(message);
  }

  public CorruptChunkException(String message, Throwable cause) {
    super(message, cause);
  }
}
