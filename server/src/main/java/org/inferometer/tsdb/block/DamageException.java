package org.inferometer.tsdb.block;

import org.jspecify.annotations.Nullable;

/** A place in a file of an open block can't be read; the message names file and offset. */
final class DamageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamageException(String message) {
    super(message);
  }

  DamageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** What is wrong; names file and offset. */
  String text() {
    return String.valueOf(getMessage());
  }
}
