package org.inferometer.store;

import org.jspecify.annotations.Nullable;

/**
 * The store couldn't do what was asked for a reason that lies outside of the program: the disk is
 * full or broken, a file is damaged, a directory isn't one of a store. The message names file and,
 * where there is one, offset.
 */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
