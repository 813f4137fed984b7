package org.inferometer.tsdb.block;

import org.jspecify.annotations.Nullable;

/** A block can't be used. The message names file, offset and what was expected. */
public final class CorruptBlockException extends Exception {
  private static final long serialVersionUID = 1L;

  public CorruptBlockException(String message) {
    super(message);
  }

  public CorruptBlockException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
